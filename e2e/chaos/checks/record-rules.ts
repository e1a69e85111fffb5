/** Rules for a checkout's record, compared with its previous version and with the true state at the service. */
import type { CheckoutRecord } from '../../../src/server/core/types.ts'
import type { Oracle } from '../world/oracle.ts'
import type { VirtualTime } from '../world/time.ts'
import type { Findings } from './findings.ts'

/** What the rules look at. */
export interface Watched {
  readonly time: VirtualTime
  readonly findings: Findings
  readonly oracle: Oracle
}

/** Checks that what was stored and shown to a browser never changes, and that a record loses nothing. */
export function checkKept({ findings, oracle }: Watched, before: CheckoutRecord, next: CheckoutRecord): void {
  const kept = ({ key, reference, method, terms, offeredAmount, instructions }: CheckoutRecord) =>
    JSON.stringify([key, reference, method, terms.price, offeredAmount, instructions])
  const instructed = before.instructions ? next : { ...next, instructions: null }
  if (kept(before) !== kept(instructed)) findings.violate('lost', `what checkout ${next.id} said to pay has changed`)
  if (next.revision < before.revision) findings.violate('lost', `the revision of checkout ${next.id} fell`)
  if (next.eventCount < before.eventCount) findings.violate('lost', `checkout ${next.id} forgot an event`)
  for (const { id } of before.attempts) {
    const made = oracle.posts.some((post) => post.intent?.attemptId === id && post.orders > 0)
    if (made && !next.attempts.some((attempt) => attempt.id === id))
      findings.violate('lost', `checkout ${next.id} forgot a request that made an order`)
  }
}

/** Checks that a binding which is not provisional names the checkout's own order. */
export function checkBinding(
  { time, findings, oracle }: Watched,
  answeredMs: number | undefined,
  before: CheckoutRecord | undefined,
  { id, binding, instructions }: CheckoutRecord,
): void {
  const isNew = binding?.orderId !== before?.binding?.orderId
  if (before?.binding && isNew) findings.count('bindings undone')
  if (!binding) return
  if (isNew) findings.count(`bound by ${binding.evidence}`)
  const sinceAnswerMs = time.nowMs() - (answeredMs ?? time.nowMs())
  const isByRule = binding.evidence !== 'merchant'
  if (isNew && isByRule) findings.sample('answer to binding', sinceAnswerMs)
  const becameCertain = !binding.isProvisional && (isNew || before?.binding?.isProvisional === true)
  if (becameCertain && isByRule) findings.sample('answer to certain binding', sinceAnswerMs)
  // Nothing is done because of a provisional binding before it has been checked again, so it may be wrong until then.
  if (binding.isProvisional || (!isNew && !before?.binding?.isProvisional)) return
  const order = oracle.order(binding.orderId)
  const own = instructions && oracle.at(instructions.address, instructions.tag)
  if (order && order === own) return
  // If equal checkouts are all paid, it makes no difference to anybody which order belongs to which.
  oracle.note()
  const isPaid = (each: typeof order | null) => each?.post !== undefined && each.now().status === 'confirmed'
  if (binding.evidence === 'all_paid' && isPaid(own) && isPaid(order)) return
  findings.violate(
    'wrongly bound',
    `checkout ${id} by ${binding.evidence} to ${order?.post ? "another checkout's" : "somebody else's"} order ${binding.orderId}`,
  )
}
