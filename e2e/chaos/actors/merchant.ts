/** The merchant's own code: says what a cart costs, writes down what it is told, and sometimes fails at it. */
import { inspect } from 'node:util'
import type { OrderStatus } from '../../../src/contract/checkout.ts'
import type { PaywindowError } from '../../../src/contract/errors.ts'
import type { MerchantOffer } from '../../../src/server/offers.ts'
import type { ErrorContext, StatusEvent } from '../../../src/server/options.ts'
import type { CheckoutRecord } from '../../../src/server/records/types.ts'
import { StoredRecordError } from '../../../src/server/records/unreadable.ts'
import type { Findings } from '../checks/findings.ts'
import type { Faults } from '../faults/faults.ts'
import { withIcon } from '../world/icon-host.ts'
import type { Cart } from '../world/types.ts'

/** What the merchant's database holds. It survives every crash. */
export interface Ledger {
  /** Takes an event. @throws where it could not have come. */
  accept(event: StatusEvent): void
  /** Accepted events of a checkout, oldest first. */
  eventsOf(checkoutId: string): readonly StatusEvent[]
  /** The status that the events told so far lead to. */
  statusOf(checkoutId: string): OrderStatus
  /** The store is as it was before, and so are the checkouts: what happened since is told again, as other changes. */
  restored(checkoutOf: (id: string) => CheckoutRecord | undefined): void
  /** Checks that an event may be told now. */
  hear(event: StatusEvent): void
  hearError(error: PaywindowError, context: ErrorContext): void
  /** Errors heard so far. */
  errors(): number
  /** Whether a cart was reported as paid more than once. */
  heardPaidTwice(reference: string): boolean
  heardUnresolved(checkoutId: string): boolean
  /** The last thing said about why the order of a checkout cannot be told. */
  whyUnresolved(checkoutId: string): string
}

/** @param secrets - Texts that no error may hold. */
export function createLedger(findings: Findings, secrets: readonly string[]): Ledger {
  const accepted = new Map<string, StatusEvent[]>()
  const paidTwice = new Set<string>()
  const unresolved = new Map<string, string>()
  let errors = 0
  const eventsOf = (id: string) => accepted.get(id) ?? []
  const statuses = new Map<string, OrderStatus>()
  const statusOf = (id: string) => statuses.get(id) ?? 'open'
  /** Ids of events accepted since the store was restored. */
  let recent = new Set<string>()

  /** Events of one checkout are a chain: each begins where the one before ended. An id names one change, and no other. */
  function faultOf({ eventId, status, previousStatus, at, checkout }: StatusEvent): string | null {
    const again = eventsOf(checkout.id).find((event) => event.eventId === eventId)
    if (again && (again.status !== status || again.at !== at)) return 'one id for two changes'
    if (recent.has(eventId)) return null
    if (previousStatus !== statusOf(checkout.id)) return 'does not begin where the one before ended'
    return status === previousStatus ? 'tells no change' : null
  }

  return {
    eventsOf,
    statusOf,
    restored: (checkoutOf) => {
      recent = new Set()
      for (const id of [...statuses.keys()]) {
        const checkout = checkoutOf(id)
        statuses.set(id, checkout?.events[0]?.previousStatus ?? checkout?.status ?? 'open')
      }
    },
    hear: (event) => {
      const fault = faultOf(event)
      if (fault !== null) findings.violate('delivered wrongly', `event ${event.eventId} (${event.status}): ${fault}`)
      if (event.alsoPaid.length > 0) paidTwice.add(event.reference)
    },
    accept: (event) => {
      const known = eventsOf(event.checkout.id)
      if (!recent.has(event.eventId)) statuses.set(event.checkout.id, event.status)
      recent.add(event.eventId)
      if (known.some(({ eventId }) => eventId === event.eventId)) return findings.count('events delivered again')
      accepted.set(event.checkout.id, [...known, event])
      findings.count('events delivered')
    },
    hearError: (error, { checkoutId, reference }) => {
      errors += 1
      findings.count(`onError ${error.code}`)
      findings.trace('error', error.code, checkoutId ?? null, error.message)
      if (error.code === 'internal') checkInternal(error, findings)
      if (error.code === 'paid_twice' && reference !== undefined) paidTwice.add(reference)
      if (error.code === 'order_unresolved' && checkoutId !== undefined) unresolved.set(checkoutId, error.message)
      const text = inspect(error, { depth: 8 })
      if (secrets.some((secret) => text.includes(secret)))
        findings.violate('secrets leaked', `in an error reported to the merchant: ${error.code}`)
    },
    errors: () => errors,
    heardPaidTwice: (reference) => paidTwice.has(reference),
    heardUnresolved: (checkoutId) => unresolved.has(checkoutId),
    whyUnresolved: (checkoutId) => unresolved.get(checkoutId) ?? 'not reported yet',
  }
}

/** Thrown by what the simulation breaks, so that it is told from what breaks by itself. */
export class InjectedFailure extends Error {
  override readonly name = 'InjectedFailure'
}

function checkInternal(error: PaywindowError, findings: Findings): void {
  let cause: unknown = error
  const isExpected = () => cause instanceof InjectedFailure || cause instanceof StoredRecordError
  while (cause instanceof Error && !isExpected()) cause = cause.cause
  if (!isExpected()) findings.violate('unexpected error', inspect(error, { depth: 8 }))
}

/** As one server runs it. */
export interface MerchantCode {
  offer(reference: string): Promise<MerchantOffer | null>
  onStatusChange(event: StatusEvent): Promise<void>
}

/** The callbacks of the shop. */
export function createMerchantCode(of: {
  carts: ReadonlyMap<string, Cart>
  ledger: Ledger
  faults: Faults
  sleep: (ms: number) => Promise<void>
  /** Ends the server that runs this. Never resolves. */
  crash: () => Promise<never>
}): MerchantCode {
  const { carts, ledger, faults, sleep, crash } = of
  const { strikes, random } = faults
  return {
    offer: async (reference) => {
      if (strikes('merchant: offer throws')) throw new InjectedFailure('the shop has lost its database')
      if (strikes('merchant: offer never settles')) return new Promise<never>(() => undefined)
      const cart = carts.get(reference)
      const price = cart?.prices.at(-1)
      if (!cart || !price) return null
      // Read first, answered later: what is answered may be out of date by then.
      if (strikes('merchant: offer is slow')) await sleep(random.between(100, 4_000))
      return {
        price,
        methods: cart.methods.map(withIcon),
        merchant: { name: 'Lantern StoreAudit' },
        description: `Order ${reference}`,
      }
    },
    onStatusChange: async (event) => {
      ledger.hear(event)
      if (strikes('merchant: callback throws')) throw new InjectedFailure('the shop has lost its database')
      if (strikes('merchant: callback never settles')) return new Promise<never>(() => undefined)
      if (strikes('merchant: callback is slow')) await sleep(random.between(1_000, 60_000))
      if (strikes('merchant: callback hangs, then fails')) {
        await sleep(random.between(5_000, 400_000))
        throw new InjectedFailure('the shop was too slow')
      }
      if (strikes('merchant: crash in the callback')) return crash()
      ledger.accept(event)
      if (strikes('merchant: callback accepts, then fails')) throw new InjectedFailure('the answer was lost')
    },
  }
}
