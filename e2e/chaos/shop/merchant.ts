/** The merchant's own code: it names prices, records events and errors, and sometimes fails. */
import { inspect } from 'node:util'
import type { OrderStatus, Price } from '../../../src/contract/checkout.ts'
import { formatAtomic, toAtomic } from '../../../src/contract/decimal.ts'
import type { PaywindowError } from '../../../src/contract/errors.ts'
import type { LogMethod } from '../../../src/server/observing/reporting.ts'
import type { OfferCallback } from '../../../src/server/offers.ts'
import type { LapsedEvent, StatusEvent } from '../../../src/server/options.ts'
import { StoredRecordError } from '../../../src/server/records/repository.ts'
import { StoreTimeoutError } from '../../../src/server/store/store-calls.ts'
import { type Faults, InjectedFailure } from '../world/faults.ts'
import type { Findings } from '../world/findings.ts'
import { withIcon } from '../world/icon-host.ts'
import type { RandomStream } from '../world/random.ts'
import type { Cart, Ledger } from '../world/types.ts'

/** Characters that end a line, control a terminal, reverse a text or hide a part of it. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u

/** Creates an empty ledger. @param secret - A text that no error may contain. */
export function createLedger(findings: Findings, secret: string): Ledger {
  const accepted = new Map<string, StatusEvent[]>()
  const paidTwice = new Set<string>()
  const usedAgain = new Set<string>()
  const lapsed = new Set<string>()
  const unresolved = new Map<string, string>()
  let strays = ''
  let errors = 0
  const eventsOf = (id: string) => accepted.get(id) ?? []
  const statuses = new Map<string, OrderStatus>()
  const statusOf = (id: string) => statuses.get(id) ?? 'open'
  const prices = createPriceTexts()
  /** Ids of events accepted since the store was restored. */
  let recent = new Set<string>()

  /**
   * Whether an event tells another kind of arrival than all others since the status came, or since
   * the store was restored.
   */
  function tellsArrival({ status, checkout: { id, arrival } }: StatusEvent): boolean {
    const known = eventsOf(id).filter(({ eventId }) => recent.has(eventId))
    const since = known.slice(known.findLastIndex((event) => event.status !== status) + 1)
    return arrival !== null && since.every((event) => event.checkout.arrival?.kind !== arrival.kind)
  }

  /**
   * Returns what is wrong with an event, or null. Each event begins with the status at which the
   * checkout's event before it ended. An id belongs to exactly one change.
   */
  function faultOf(event: StatusEvent): string | null {
    const { eventId, status, previousStatus, at, checkout } = event
    const again = eventsOf(checkout.id).find((each) => each.eventId === eventId)
    if (again && (again.status !== status || again.at !== at)) return 'one id for two changes'
    if (recent.has(eventId)) return null
    if (previousStatus !== statusOf(checkout.id)) return 'does not begin where the one before ended'
    const tellsRest = eventsOf(checkout.id).at(-1)?.phase === 'paid_less' && event.phase !== 'paid_less'
    return status === previousStatus && !tellsRest && !tellsArrival(event) ? 'tells no change' : null
  }

  return {
    write: prices.write,
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
      const fault = prices.faultOf(event) ?? faultOf(event)
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
      if (error.code === 'paid_without_checkout') strays += error.message
      findings.trace('error', error.code, checkoutId ?? null, error.message)
      if (error.code === 'internal') checkInternal(error, findings)
      if (error.code === 'paid_twice' && reference !== undefined) paidTwice.add(reference)
      if (error.code === 'offer_invalid' && reference !== undefined) usedAgain.add(reference)
      if (error.code === 'order_unresolved' && checkoutId !== undefined) unresolved.set(checkoutId, error.message)
      checkWords(error, findings, secret)
    },
    hearLine: createLogReader(findings, secret),
    acceptLapsed: ({ reference }) => void lapsed.add(reference),
    heardLapsed: (reference) => lapsed.has(reference),
    heardStray: (orderId) => strays.includes(orderId),
    errors: () => errors,
    heardPaidTwice: (reference) => paidTwice.has(reference),
    heardUsedAgain: (reference) => usedAgain.has(reference),
    heardUnresolved: (checkoutId) => unresolved.has(checkoutId),
    whyUnresolved: (checkoutId) => unresolved.get(checkoutId) ?? 'not reported yet',
  }
}

/** A reference of a cart here. Whoever knows a signed one opens the cart. */
const isOfCart = /\bcart-\d+-/

function checkWords(error: PaywindowError, findings: Findings, secret: string): void {
  if (unprintable.test(error.message))
    findings.violate('forged log line', `${error.code}: ${JSON.stringify(error.message)}`)
  const text = inspect(error, { depth: 8 })
  if (isOfCart.test(error.message) || text.includes(secret))
    findings.violate('secrets leaked', `in an error reported to the merchant: ${error.code}`)
}

/** What the merchant has written as the price of each cart. */
function createPriceTexts() {
  const written = new Map<string, string[]>()
  return {
    write: (reference: string, amount: string) => {
      const texts = written.get(reference) ?? []
      const spellings = [amount.includes('.') ? `${amount}0` : `${amount}.00`, amount, `0${amount}`]
      const text = spellings[texts.length % spellings.length] ?? amount
      written.set(reference, [...texts, text])
      return text
    },
    /** Null also for carts that were in the store before the merchant wrote anything. */
    faultOf: ({ reference, price: { amount }, checkout }: StatusEvent): string | null => {
      if (checkout.price.amount !== amount) return `its checkout costs ${checkout.price.amount}, not ${amount}`
      return (written.get(reference)?.includes(amount) ?? true) ? null : `the merchant never wrote ${amount}`
    },
  }
}

/** Reads the log as an operator's terminal would. */
function createLogReader(findings: Findings, secret: string): LogMethod {
  return (fields, message) => {
    const texts = [message, ...Object.values(fields).filter((value) => typeof value === 'string')]
    if (texts.some((text) => unprintable.test(text))) findings.violate('forged log line', JSON.stringify(texts))
    if (texts.some((text) => isOfCart.test(text) || text.includes(secret)))
      findings.violate('secrets leaked', `in the log: ${message}`)
  }
}

function checkInternal(error: PaywindowError, findings: Findings): void {
  let cause: unknown = error
  const isExpected = () => [InjectedFailure, StoredRecordError, StoreTimeoutError].some((each) => cause instanceof each)
  while (cause instanceof Error && !isExpected()) cause = cause.cause
  // Several calls of a late store make one request too long.
  if (!isExpected() && !error.message.endsWith('did not respond'))
    findings.violate('unexpected error', inspect(error, { depth: 8 }))
}

/** The price of a cart now. A shop that converts prices names 0.4 % more or less each time. */
function priceNow({ prices, moves }: Cart, random: RandomStream): Price | undefined {
  const [first] = prices
  if (!moves || !first) return prices.at(-1)
  const cents = Number(toAtomic(first.amount, 2))
  const mostCents = Math.floor(cents / 250)
  const amount = formatAtomic(BigInt(cents + random.between(-mostCents, mostCents)), 2)
  const known = prices.find((price) => price.amount === amount)
  if (known) return known
  const moved = { ...first, amount }
  prices.push(moved)
  return moved
}

/** The merchant's callbacks on one server. */
export interface MerchantCode {
  offer: OfferCallback
  onStatusChange(event: StatusEvent): Promise<void>
  onLapsed(event: LapsedEvent): Promise<void>
}

/** Creates the merchant's callbacks for one server. */
export function createMerchantCode(of: {
  carts: ReadonlyMap<string, Cart>
  ledger: Ledger
  faults: Faults
  sleep: (ms: number) => Promise<void>
  /** Crashes the server that runs this code. Never resolves. */
  crash: () => Promise<never>
}): MerchantCode {
  const { carts, ledger, faults, sleep, crash } = of
  const { strikes, random } = faults

  /** Does the shop's work, unless something goes wrong before or after it. */
  async function calledBack(work: () => void): Promise<void> {
    if (strikes('merchant: callback throws')) throw new InjectedFailure('the shop has lost its database')
    if (strikes('merchant: callback never settles')) return new Promise<never>(() => undefined)
    if (strikes('merchant: callback is slow')) await sleep(random.between(1_000, 60_000))
    if (strikes('merchant: callback hangs, then fails')) {
      await sleep(random.between(5_000, 400_000))
      throw new InjectedFailure('the shop was too slow')
    }
    if (strikes('merchant: crash in the callback')) return crash()
    work()
    if (strikes('merchant: callback accepts, then fails')) throw new InjectedFailure('the answer was lost')
  }
  return {
    offer: async ({ reference, request, link }) => {
      if (strikes('merchant: offer throws')) throw new InjectedFailure('the shop has lost its database')
      if (strikes('merchant: offer never settles')) return new Promise<never>(() => undefined)
      const cart = carts.get(reference)
      const price = cart && priceNow(cart, random)
      if (!cart || !price) return null
      const isOwn = cart.session === undefined || request.headers.get('cookie')?.split('; ').includes(cart.session)
      if (!isOwn && !link) return null
      // The price is read before the wait, so it may be out of date when it is returned.
      if (strikes('merchant: offer is slow')) await sleep(random.between(100, 4_000))
      return {
        price: { ...price, amount: ledger.write(reference, price.amount) },
        methods: cart.methods.map(withIcon),
        merchant: { name: 'Lantern Books' },
        description: `Order ${reference}`,
      }
    },
    onStatusChange: async (event) => {
      ledger.hear(event)
      return calledBack(() => ledger.accept(event))
    },
    onLapsed: (event) => calledBack(() => ledger.acceptLapsed(event)),
  }
}
