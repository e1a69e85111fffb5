/** Takes in the service's answer to a creation. An answer that cannot be trusted is stored as answered, but never shown. */
import { PaywindowError } from '../../contract/errors.ts'
import { canonicalNetwork } from '../../contract/networks/table.ts'
import type { DepositInstructions } from '../../service/types.ts'
import { destinationOf } from '../addresses/destination.ts'
import type { Context } from '../context.ts'
import type { Binder } from '../following/binder.ts'
import { setAttempt, windowOf } from '../records/attempts.ts'
import { nextLook } from '../records/looks.ts'
import { withStatus } from '../records/transitions.ts'
import type { Attempt, CheckoutRecord, Instructions } from '../records/types.ts'
import { checkInstructions } from './instructions.ts'

/**
 * Stores the answer to an attempt, and shows its instructions unless the checkout has some already.
 *
 * @throws PaywindowError `service_invalid`, `asset_not_crypto` where they cannot be paid to.
 */
export type Accept = (checkout: CheckoutRecord, sent: Attempt, answer: DepositInstructions) => Promise<CheckoutRecord>

/** The answer has the deposit of another checkout: a service or a gateway took two requests for one. */
export class SharedDepositError extends PaywindowError {}

type Checked = { readonly instructions: Instructions } | { readonly refusal: PaywindowError }

/** Binds the order at once, provisionally, if the answer names it. Its id is stored with the instructions, for a search if that fails. */
export function createAccept(
  {
    repository,
    settings,
    rules,
    now,
    plannedNow,
  }: Pick<Context, 'repository' | 'settings' | 'rules' | 'now' | 'plannedNow'>,
  binder: Pick<Binder, 'bindNamed'>,
): Accept {
  function check(answer: DepositInstructions, { method, test }: CheckoutRecord, attemptId: string): Checked {
    try {
      const { tagOptionalOn } = settings
      return { instructions: checkInstructions(answer, { method, attemptId, test, tagOptionalOn }) }
    } catch (error) {
      if (error instanceof PaywindowError) return { refusal: error }
      throw error
    }
  }

  function opened(checkout: CheckoutRecord): CheckoutRecord {
    const at = new Date(now()).toISOString()
    const history = [{ status: checkout.status, phase: rules.phaseOf[checkout.status], at }]
    const open = { ...withStatus(checkout, 'open', now(), rules), history, revision: checkout.revision + 1 }
    return { ...open, nextLookAtMs: nextLook(open, plannedNow(), rules.phaseOf) }
  }

  /**
   * The first checkout keeps a deposit for as long as its quote runs, in all processes. One of another time is another order: services use
   * addresses again.
   */
  async function isAnothers({ id, method }: CheckoutRecord, instructions: Instructions, orderId: string | null) {
    const ownerId = orderId === null ? undefined : await repository.ownerOf(orderId)
    if (ownerId !== undefined && ownerId !== id) return true
    const { amount, dateTime, sentAtMs, expiresAtMs } = instructions
    const { address, tag } = destinationOf(instructions.address, instructions.tag, method.network)
    const name = ['deposit', canonicalNetwork(method.network), address, tag, amount, dateTime].join(' ')
    return !(await repository.store.lease(name, id, expiresAtMs - sentAtMs))
  }

  async function checkAlone(checkout: CheckoutRecord, sent: Attempt, answer: DepositInstructions): Promise<Checked> {
    const checked = check(answer, checkout, sent.id)
    if ('refusal' in checked || !(await isAnothers(checkout, checked.instructions, answer.orderId))) return checked
    return {
      refusal: new SharedDepositError('service_invalid', "The service's answer has the deposit of another checkout"),
    }
  }

  return async (before, sent, answer) => {
    const checkoutId = before.id
    const answered: Attempt = { ...sent, outcome: 'answered', window: windowOf(answer.timing) }
    const checked = await checkAlone(before, sent, answer)
    let refusal: PaywindowError | undefined
    const stored = await repository.updateCheckout(checkoutId, (checkout) => {
      refusal = undefined
      const known = setAttempt(checkout, answered)
      if (checkout.instructions) return known
      if ('instructions' in checked)
        return opened({ ...known, instructions: checked.instructions, namedOrderId: answer.orderId ?? undefined })
      refusal = checked.refusal
      return known
    })
    const about = { checkoutId, reference: stored.reference }
    if (refusal) {
      settings.report(refusal, about)
      throw forBrowser(refusal)
    }
    if (answer.deposit === false) settings.report(depositFalse(checkoutId), about)
    const isOurs = stored.instructions?.attemptId === sent.id
    return isOurs ? binder.bindNamed(stored) : stored
  }
}

/** The merchant learns what was wrong; a browser learns that nothing can be shown. */
function forBrowser(refusal: PaywindowError): PaywindowError {
  const message =
    refusal.code === 'asset_not_crypto'
      ? refusal.message
      : 'The exchange service gave deposit instructions that cannot be trusted, so none are shown'
  // Another request may bring a deposit of this payer's own.
  return refusal instanceof SharedDepositError
    ? new SharedDepositError(refusal.code, message, { cause: refusal, retryAfterMs: 5_000 })
    : new PaywindowError(refusal.code, message, { cause: refusal })
}

function depositFalse(checkoutId: string): PaywindowError {
  return new PaywindowError(
    'deposit_false',
    `The service answered deposit: false for checkout ${checkoutId}; its meaning is not stated, and the address is shown`,
  )
}
