/**
 * Checks the service's answer to a creation before a payer sees it, and stores it. Deposit
 * instructions have to be complete, ask for the offered asset, and work in a wallet. Otherwise
 * there is an error and no payment panel.
 */

import { isPlainTag } from '../../contract/checkout.ts'
import { canonicalDecimal, decimalPlaces, isDecimal } from '../../contract/decimal.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { assetDecimals, knownNetwork, sameAsset, sameNetwork } from '../../contract/networks/table.ts'
import { asWebUrl, readable } from '../../contract/parsers.ts'
import { quoteLifetimeMs } from '../../contract/quote.ts'
import { createLru } from '../../service/lru.ts'
import type { DepositInstructions, Timing } from '../../service/types.ts'
import { destinationOf, meantTag, tagProblem } from '../addresses/destination.ts'
import { readAddress } from '../addresses/formats.ts'
import type { Context } from '../context.ts'
import { marksOf } from '../core/agreement.ts'
import { nextLook } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import { serviceTimeMs } from '../core/service-times.ts'
import { setAttempt, windowOf, withStatus } from '../core/transitions.ts'
import type { Attempt, CheckoutRecord, Instructions } from '../core/types.ts'
import type { Binder } from '../following/binder.ts'
import { type Method, methodId } from '../offers.ts'

/** The values that an answer is compared with. */
export interface InstructionRules {
  readonly method: Method
  readonly attemptId: string
  /** Whether addresses of test chains are accepted. */
  readonly test: boolean
  /** Canonical networks on which a missing tag is accepted although the network uses tags. */
  readonly tagOptionalOn: readonly string[]
}

/** A test address without the option `test`: of a test account or a sandbox. */
class TestAddressError extends PaywindowError {}

/**
 * Checks an answer, field by field.
 *
 * @throws PaywindowError `asset_not_crypto` for a fiat source; `service_invalid` naming what is
 * missing or wrong.
 */
export function checkInstructions(answer: DepositInstructions, rules: InstructionRules): Instructions {
  const { method } = rules
  const symbol = answer.asset?.symbol ?? method.asset
  if (answer.asset?.type?.toLowerCase() === 'fiat') {
    const what = `The service treats ${method.asset} as a fiat currency, which has no wallet address for deposits`
    throw new PaywindowError('asset_not_crypto', what)
  }
  if (!sameAsset(symbol, method.asset, method.network))
    throw invalid(`asks for ${quote(symbol)} where ${method.asset} was ordered`)
  if (answer.network !== null && !sameNetwork(answer.network, method.network)) {
    throw invalid(`names the network ${quote(answer.network)} where ${method.network} was ordered`)
  }
  return {
    attemptId: rules.attemptId,
    amount: checkAmount(answer.amount, method),
    address: checkAddress(answer.walletAddress, rules),
    tag: checkTag(answer, rules),
    symbol: method.asset,
    name: plainName(answer.asset?.name ?? null) ?? method.name,
    iconUrl: iconUrl(answer),
    sentAtMs: answer.timing.sentAtMs,
    expiresAtMs: answer.timing.sentAtMs + quoteLifeMs({ ...answer, serviceDateMs: answer.timing.serviceDateMs }),
    dateTime: answer.dateTime,
    expTime: answer.expTime,
  }
}

function checkAmount(text: string | null, method: Method): string {
  if (text === null) throw invalid('has no amount')
  if (!isDecimal(text)) throw invalid(`has an amount that is no decimal: ${quote(text)}`)
  const amount = canonicalDecimal(text)
  if (amount === '0') throw invalid('has an amount of 0')
  const decimals = assetDecimals(method.asset, method.network) ?? 36
  if (decimalPlaces(amount) > decimals)
    throw invalid(`has an amount with more than the ${decimals} decimals of ${method.asset}: ${quote(text)}`)
  return amount
}

function checkAddress(address: string | null, { method, test }: InstructionRules): string {
  if (address === null) throw invalid('has no wallet address')
  const { form } = readAddress(address, method.network)
  if (form === 'invalid')
    throw invalid(`has a wallet address that ${method.network} does not accept: ${quote(address)}`)
  if (form === 'test' && !test)
    throw new TestAddressError(
      'service_invalid',
      `The service's answer has a test address. With the sandbox or a test account set test: true: ${quote(address)}`,
    )
  return address
}

function checkTag(answer: DepositInstructions, { method, tagOptionalOn }: InstructionRules): string | null {
  // The tag is shown as the service wrote it, unless it means "none".
  const tag = meantTag(answer.tag, method.network) === null ? null : answer.tag
  const carried = readAddress(answer.walletAddress ?? '', method.network).tag ?? null
  if (tag === null) {
    const known = knownNetwork(method.network)
    if (!known?.needsTag || carried !== null || tagOptionalOn.includes(known.kind)) return null
    throw invalid(`has no tag, and deposits on ${method.network} are told apart by it`)
  }
  if (!isPlainTag(tag)) throw invalid(`has a tag with characters that no wallet can enter: ${quote(tag)}`)
  const problem = tagProblem(tag, method.network)
  if (problem !== undefined) throw invalid(`has a tag that on ${method.network} has to be a ${problem}: ${quote(tag)}`)
  if (carried !== null && carried !== meantTag(tag, method.network))
    throw invalid(`has the tag ${quote(tag)} and an address that carries another: ${carried}`)
  return tag
}

/**
 * A name without characters that could reorder or hide the text around it. Null if nothing is left.
 */
function plainName(name: string | null): string | null {
  const plain = (name ?? '')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 64)
  return plain === '' ? null : plain
}

/**
 * The sharpest icon with an `https` URL (`http` in the sandbox). A bad icon is no reason to refuse
 * a payment.
 */
function iconUrl({ asset }: DepositInstructions): string | null {
  const urls = [asset?.largeImageUrl, asset?.mediumImageUrl, asset?.smallImageUrl]
  return urls.map((url) => readIconUrl(url, 'icon')).find((url) => url !== undefined) ?? null
}

const readIconUrl = readable(asWebUrl)

function invalid(what: string): PaywindowError {
  return new PaywindowError('service_invalid', `The service's answer ${what}`)
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 140))
}

/**
 * Remembers refusals for test addresses by method: one network says nothing about another. In
 * memory only: correcting the option `test` restarts the process.
 */
export function createTestAddresses(now: () => number) {
  const refusals = createLru<{ readonly refusal: PaywindowError; readonly atMs: number }>(500)
  return {
    /** @throws The refusal, if it is at most a minute old. */
    check: ({ method }: CheckoutRecord) => {
      const last = refusals.get(methodId(method))
      if (last && now() - last.atMs < policy.quote.testAddressMs) throw last.refusal
    },
    /** Remembers a refusal if a test address caused it. */
    note: ({ method }: CheckoutRecord, refusal: unknown) => {
      if (refusal instanceof PaywindowError && refusal.cause instanceof TestAddressError)
        refusals.set(methodId(method), { refusal, atMs: now() })
    },
  }
}

type Expiry = Pick<DepositInstructions, 'expTime' | 'dateTime'> & Pick<Timing, 'serviceDateMs'>

/**
 * The lifetime of a quote. Nothing specifies the answer's fields, so they are read in every
 * possible way. The longest reading up to 20 minutes counts, or else 20 minutes.
 *
 * @param answer - `expTime`: a duration, of which a bare number may have any unit, or a time.
 *   `dateTime`: a time. `serviceDateMs`: the answer's `Date` header, without which no epoch can be
 *   read.
 * @returns Milliseconds from when the request was sent, above 0 and at most `quoteLifetimeMs`.
 */
export function quoteLifeMs({ expTime, dateTime, serviceDateMs }: Expiry): number {
  // Nobody could pay a shorter quote, so 30 means minutes, and 86400 seconds.
  const lives = durations(expTime ?? '').filter((reading) => reading >= quoteLifetimeMs / 10)
  const readings = [...lives, ...instants(expTime, serviceDateMs), ...instants(dateTime, serviceDateMs)]
  const isPossible = (reading: number) =>
    reading >= policy.quote.shortestMs && reading <= quoteLifetimeMs + policy.quote.slackMs
  // In a zone that is not known, two times still say how far apart they are.
  const apart = [serviceTimeMs(expTime) - serviceTimeMs(dateTime)]
  const possible = [readings, apart].map((each) => each.filter(isPossible)).find(({ length }) => length > 0)
  return possible ? Math.min(quoteLifetimeMs, Math.floor(Math.max(...possible))) : quoteLifetimeMs
}

/** Such as `PT20M`, `20 min` or `1h30m`, and as a clock shows it. */
const durationForms = [
  /^(?:PT)?(?:(\d+) ?h[a-z]*)? ?(?:(\d+) ?m(?:in[a-z]*)?)? ?(?:(\d+(?:\.\d+)?) ?s(?:ec[a-z]*)?)?$/i,
  /^(?:(\d\d?):)?(\d\d?):(\d\d(?:\.\d+)?)$/,
]

/** A text as a duration, in ms, in each unit that a bare number may have; none for other texts. */
function durations(text: string): number[] {
  const number = text.replace(/ ?ms$/i, '')
  if (isDecimal(number)) return [60_000, 1_000, 1, 1e-3, 1e-6].map((unitMs) => Number(number) * unitMs)
  const parts = durationForms.flatMap((form) => form.exec(text) ?? [])
  const [hours, minutes, seconds] = [1, 2, 3].map((at) => Number(parts[at] ?? 0)) as [number, number, number]
  return parts.length > 0 ? [(hours * 60 + minutes) * 60_000 + seconds * 1_000] : []
}

function instants(text: string | null, serviceDateMs: number | null): number[] {
  const atMs = serviceTimeMs(text)
  return serviceDateMs === null || Number.isNaN(atMs) ? [] : [atMs - serviceDateMs]
}

/**
 * Checks and stores the answer to an attempt. Opens the checkout with its instructions, unless it
 * has instructions already.
 *
 * @throws PaywindowError `service_invalid` or `asset_not_crypto` if the instructions cannot be
 * paid.
 */
export type Accept = (checkout: CheckoutRecord, sent: Attempt, answer: DepositInstructions) => Promise<CheckoutRecord>

/**
 * The answer has the deposit of another checkout: the service or a gateway took two requests for
 * one.
 */
export class SharedDepositError extends PaywindowError {}

/**
 * Binds an order that the answer names at once, provisionally. The id is also stored with the
 * instructions, in case that fails.
 */
export function createAccept({ repository, settings, rules, now, plannedNow }: Context, binder: Binder): Accept {
  async function check(checkout: CheckoutRecord, sent: Attempt, answer: DepositInstructions) {
    const { method, test } = checkout
    const { tagOptionalOn } = settings
    try {
      const instructions = checkInstructions(answer, { method, attemptId: sent.id, test, tagOptionalOn })
      if (!(await belongsToAnother(checkout, instructions, answer.orderId))) return instructions
      return new SharedDepositError('service_invalid', "The service's answer has the deposit of another checkout")
    } catch (error) {
      if (error instanceof PaywindowError) return error
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
   * Whether the deposit or the order is another checkout's. The first checkout leases a deposit
   * while its quote runs: that decides between simultaneous answers. Its record decides if somebody
   * has set the store's clock since. Services use addresses again, so after the quote, or once it is
   * paid, the same address may belong to a new order. One id at two addresses names no order.
   */
  async function belongsToAnother({ id, method }: CheckoutRecord, instructions: Instructions, orderId: string | null) {
    const { amount, sentAtMs, expiresAtMs } = instructions
    const { address, tag } = destinationOf(instructions.address, instructions.tag, method.network)
    const name = ['deposit', methodId(method), address, tag, amount].join(' ')
    const { place } = marksOf(instructions, method)
    const take = () => repository.store.lease(name, id, expiresAtMs - sentAtMs)
    const [isTaken, atPlace, ownerId] = await Promise.all([
      take(),
      repository.listCheckouts(place, { limit: mostAtPlace }),
      orderId === null ? undefined : repository.ownerOf(orderId),
    ])
    const others = atPlace.filter((other) => other.id !== id)
    const isPaid = ({ status }: CheckoutRecord) => rules.phaseOf[status] === 'paid'
    if (!isTaken) for (const other of others.filter(isPaid)) await repository.store.release(name, other.id)
    const isSame = (other: CheckoutRecord) =>
      other.id === ownerId || sameDeposit(other, instructions, isPaid(other) ? undefined : method)
    return others.some(isSame) || !(isTaken || (await take()))
  }

  return async (before, sent, answer) => {
    const checkoutId = before.id
    const answered: Attempt = { ...sent, outcome: 'answered', window: windowOf(answer.timing) }
    const checked = await check(before, sent, answer)
    const stored = await repository.updateCheckout(checkoutId, (checkout) => {
      const known = setAttempt(checkout, answered)
      if (checkout.instructions) return known
      if (checked instanceof SharedDepositError) return setAttempt(checkout, { ...answered, isShared: true })
      if (checked instanceof PaywindowError) return known
      return opened({ ...known, instructions: checked, namedOrderId: answer.orderId ?? undefined })
    })
    const about = { checkoutId, reference: stored.reference }
    if (checked instanceof PaywindowError && !stored.instructions) {
      settings.report(checked, about)
      throw forBrowser(checked)
    }
    const what = `The service answered deposit: false for checkout ${checkoutId}; its meaning is not stated, and the address is shown`
    if (answer.deposit === false) settings.report(new PaywindowError('deposit_false', what), about)
    const { expTime } = answer
    const isRead = expTime === null || durations(expTime).length > 0 || !Number.isNaN(serviceTimeMs(expTime))
    if (!isRead) settings.report(invalid(`ends the quote at ${quote(expTime)}, which cannot be read`), about)
    return stored.instructions?.attemptId === sent.id ? binder.bindNamed(stored) : stored
  }
}

/** The newest checkouts with the address are compared, this many. */
const mostAtPlace = 10

/**
 * Whether two answers are about one deposit: they have one time, one end or, as a gateway may write
 * others, overlapping quotes of one coin. Tokens of a network may share an address.
 *
 * @param own - Left out where the time of the quotes says nothing: the other is paid.
 */
function sameDeposit({ instructions: theirs, method }: CheckoutRecord, ours: Instructions, own?: Method): boolean {
  const { amount, dateTime, expTime, sentAtMs, expiresAtMs } = ours
  if (theirs?.amount !== amount) return false
  const isOfMoment = dateTime !== null && theirs.dateTime === dateTime
  // An expiry may be a duration, which all quotes have.
  const endsThen = theirs.expTime === expTime && !Number.isNaN(serviceTimeMs(expTime))
  const overlap = Math.abs(theirs.sentAtMs - sentAtMs) < expiresAtMs - sentAtMs
  return isOfMoment || endsThen || (overlap && own !== undefined && methodId(method) === methodId(own))
}

/** The error for a browser. It does not say what was wrong: only the merchant learns the cause. */
function forBrowser(refusal: PaywindowError): PaywindowError {
  const message =
    refusal.code === 'asset_not_crypto'
      ? refusal.message
      : 'The exchange service gave deposit instructions that cannot be trusted, so none are shown'
  // Another request may bring this payer's own deposit.
  return refusal instanceof SharedDepositError
    ? new SharedDepositError(refusal.code, message, { cause: refusal, retryAfterMs: 5_000 })
    : new PaywindowError(refusal.code, message, { cause: refusal })
}
