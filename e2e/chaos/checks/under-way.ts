/** Checks, before a creation is asked for, that nobody else waits for one of the same checkout. */
import type { ServerClock } from '../world/clocks.ts'
import { turnMs } from '../world/pauses.ts'
import type { Watched } from './record-rules.ts'

/** A living server still waits for the answer to a creation request that is younger than this. */
const creationPatienceMs = 19_000
/**
 * Servers whose clocks are further apart than this cannot agree on whose turn it is. The order of one of them is then lost, and
 * nobody pays it. This is counted separately; see docs/maintainers/chaos.md.
 */
const clockBoundMs = 15_000

/** @param clock - Of the server that is about to ask. */
export function checkUnderWay(
  { time, findings, oracle }: Pick<Watched, 'time' | 'findings' | 'oracle'>,
  checkoutId: string,
  clock: ServerClock,
): void {
  const rival = oracle.posts.find(
    (post) =>
      post.intent?.checkoutId === checkoutId &&
      post.inFlight &&
      post.senderIsAlive() &&
      time.nowMs() - post.sentMs < creationPatienceMs,
  )
  if (!rival) return
  const apartMs = Math.abs(clock.aheadMs - rival.senderAheadMs)
  if (apartMs > clockBoundMs) findings.count('created twice by clocks apart')
  else if (rival.senderPausedMs() + clock.pauses.sinceMs(rival.sentMs - turnMs) > 0)
    findings.count('created twice after a pause')
  else findings.violate('created without cause', `checkout ${checkoutId} has a request under way`)
}
