/** Notices that this server's clock and the service's differ, which shortens quotes and makes orders harder to tell apart. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { isOfThisMachine } from './unencrypted.ts'

/** More than an answer takes, or a clock that is kept in step drifts. */
const mostMs = 30_000
const reportEveryMs = 3_600_000

/** Returns a function that looks once. It knows nothing before the first answer of the service. */
export function createClockCheck({ settings, time }: Pick<Context, 'settings' | 'time'>): () => void {
  let reportedAtMs = Number.NEGATIVE_INFINITY
  // A service on the same machine has the same clock, and a sandbox moves its own on purpose.
  if (isOfThisMachine(new URL(settings.service.baseUrl).hostname)) return () => {}
  return () => {
    const { nowMs, serviceNowMs } = time()
    if (serviceNowMs === null || Math.abs(nowMs - serviceNowMs) <= mostMs || nowMs - reportedAtMs < reportEveryMs)
      return
    reportedAtMs = nowMs
    const seconds = Math.round(Math.abs(nowMs - serviceNowMs) / 1_000)
    settings.report(
      new PaywindowError(
        'clock_differs',
        `This server's clock is ${seconds} s ${nowMs > serviceNowMs ? 'ahead of' : 'behind'} the service's. Keep it in step (NTP): quotes may end early`,
      ),
      {},
    )
  }
}
