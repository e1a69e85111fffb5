/** All error codes, for tests that have to know each. */
import type { AnswerCode, PaywindowErrorCode } from './errors.ts'
import { statusOfCode } from './status-of-code.ts'

/** The type fails to check when one is missing. */
const others = {
  invalid_amount: 0,
  invalid_answer: 0,
  unreachable: 0,
  invalid_options: 0,
  status_unknown: 0,
  deposit_false: 0,
  binding_contradicted: 0,
  order_unresolved: 0,
  paid_twice: 0,
  paid_less: 0,
  paid_more: 0,
  account_changed: 0,
  order_without_checkout: 0,
  paid_without_checkout: 0,
  callback_failed: 0,
  events_waiting: 0,
  record_unreadable: 0,
  clients_look_alike: 0,
  service_held_off: 0,
  nobody_watches: 0,
  token_unencrypted: 0,
  clock_differs: 0,
} satisfies Record<Exclude<PaywindowErrorCode, AnswerCode>, 0>

/** Those that a server answers with, and all others. */
export const errorCodes = Object.keys({ ...statusOfCode, ...others }) as PaywindowErrorCode[]
