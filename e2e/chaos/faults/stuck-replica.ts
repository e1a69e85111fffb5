/** The service behind two replicas of its data, one of which is stuck now and then: every other answer has the statuses of an earlier time. */
import { createRandomStream } from '../world/random.ts'
import type { World } from '../world/types.ts'

const minuteMs = 60_000
/** An order as the list and the details begin it, up to its status. */
const orderStart = /("id":"([\da-f-]{36})","account_id":[^{}]*?"status":")[a-z]+"/g

/** What the stuck replica says. */
export interface StuckReplica {
  /** Wraps the service's `fetch`. */
  behind(service: typeof fetch): typeof fetch
  /** Stops the replica now and then, for less time than a status is held. */
  run(until: () => boolean): Promise<void>
}

/** Not stuck at first. */
export function createStuckReplica({
  plan,
  time,
  faults,
  sandbox,
}: Pick<World, 'plan' | 'time' | 'faults' | 'sandbox'>): StuckReplica {
  const random = createRandomStream(plan.seed, 'stuck replica')
  /** The statuses that it shows; those of later orders are as they are. Undefined while it is not stuck. */
  let statuses: ReadonlyMap<string, string> | undefined

  /** The text stays, so that numbers keep their digits. How a canceled order is spelled stays, too. */
  function asOfThen(text: string): string {
    return text.replaceAll(orderStart, (all: string, start: string, id: string) => {
      const status = statuses?.get(id) ?? 'canceled'
      return status === 'canceled' ? all : `${start}${status}"`
    })
  }

  return {
    behind: (service) => async (input, init) => {
      const answer = await service(input, init)
      const isRead = init?.method !== 'POST' && answer.ok
      if (!isRead || !statuses || faults.stopped || random.chance(0.5)) return answer
      return new Response(asOfThen(await answer.text()), answer)
    },
    run: async (until) => {
      while (!until() && !faults.stopped) {
        await time.sleep(random.between(2, 20) * minuteMs)
        if (!faults.strikes('service: replica is stuck')) continue
        statuses = new Map(sandbox.orders().map(({ id, status }) => [id, status]))
        await time.sleep(random.between(3, 25) * minuteMs)
        statuses = undefined
      }
    },
  }
}
