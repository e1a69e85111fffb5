/** Reports what of the service could not be read while orders were followed. */
import type { ServiceError } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import { unread } from '../orders/list-reader.ts'
import { HeldOffError } from '../upstream/service-gate.ts'

/** @param what - Begins the sentence, such as `The order list`. */
export type ReportUnread = (what: string, error: ServiceError, about?: { readonly checkoutId?: string }) => void

/** Says nothing of what was not sent: the reason was reported already. */
export function createReportUnread({ settings }: Pick<Context, 'settings'>): ReportUnread {
  return (what, error, about = {}) => {
    if (!(error instanceof HeldOffError)) settings.report(unread(what, error), about)
  }
}
