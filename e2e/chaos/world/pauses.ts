/** A process that stands still for a while, as a machine that is suspended or swaps, and goes on as if nothing had happened. */
import { createRandomStream } from './random.ts'
import type { Instance } from './servers.ts'
import type { VirtualTime } from './time.ts'
import type { World } from './types.ts'

/** A server has its turn to send a creation for no longer than this: a pause before that cannot cost it the turn. */
export const turnMs = 60_000

/** When a process stands still. */
export interface Pauses {
  /** Nothing that waits goes on before so long has passed. */
  begin(ms: number): void
  /** Resolves when it does not stand still. */
  awake(): Promise<void>
  /** For how many ms it has stood still since a moment of true time. */
  sinceMs(fromMs: number): number
}

/** Creates the pauses of one process, which has had none. */
export function createPauses(time: VirtualTime): Pauses {
  const pauses: { readonly fromMs: number; readonly untilMs: number }[] = []
  const endsMs = () => Math.max(...pauses.map(({ untilMs }) => untilMs), 0)
  return {
    begin: (ms) => void pauses.push({ fromMs: time.nowMs(), untilMs: time.nowMs() + ms }),
    awake: async () => {
      while (endsMs() > time.nowMs()) await time.sleep(endsMs() - time.nowMs())
    },
    sinceMs: (fromMs) =>
      pauses
        .map((pause) => Math.max(0, Math.min(pause.untilMs, time.nowMs()) - Math.max(pause.fromMs, fromMs)))
        .reduce((sum, ms) => sum + ms, 0),
  }
}

/** Has one of the living servers stand still now and then: mostly for longer than a lease holds, at times for longer than a quote. */
export async function runPauses({ time, plan, faults }: World, alive: () => readonly Instance[]): Promise<void> {
  const random = createRandomStream(plan.seed, 'pauses')
  while (!faults.stopped) {
    await time.sleep(random.between(1, 12) * 60_000)
    const servers = alive()
    if (servers.length === 0 || !faults.strikes('server: stands still')) continue
    const isLong = random.chance(0.1)
    random.pick(servers).clock.pauses.begin(isLong ? random.between(5, 30) * 60_000 : random.between(3_000, 70_000))
  }
}
