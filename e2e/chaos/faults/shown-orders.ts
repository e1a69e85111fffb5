/** A service that shows orders otherwise than it made them: amounts rounded, the coin under its other name, another amount once paid. */
import { decimalPlaces, formatAtomic, toAtomic } from '../../../src/contract/decimal.ts'
import { createRandomStream } from '../world/random.ts'
import type { Faults } from './faults.ts'

/** What a paid order shows in place of what was asked for. */
interface PaidOtherwise {
  readonly field: 'source_amount' | 'target_amount'
  readonly amount: string
  readonly phase: 'paid_less' | 'paid_more'
}

/** The orders of a segment as the service shows them. */
export interface ShownOrders {
  /** Wraps the service's `fetch`. What an order shows is drawn once, so that it stays. */
  changing(service: typeof fetch): typeof fetch
  /** Undefined for an order that shows what was asked for. */
  paidOtherwise(orderId: string): PaidOtherwise | undefined
}

/** An item of the list, or the details: the text itself is changed, so that numbers keep their digits. */
const eachOrder = /\{"id":"([^"]+)","account_id":[^{}]*\}/g
/** Digits that a rounded amount keeps: servers take less than a ten-thousandth for rounding. */
const keptDigits = 6

/** Creates it with no order shown yet. */
export function createShownOrders(seed: number, { strikes }: Faults): ShownOrders {
  const random = createRandomStream(seed, 'shown orders')
  // Equal amounts are rounded alike, or not at all.
  const isRounded = oncePer(() => strikes('service: rounds the amounts of an order'))
  const isRenamed = oncePer(() => strikes('service: calls a coin by its other name'))
  const otherwise = new Map<string, PaidOtherwise | undefined>()

  function drawOtherwise(item: string): PaidOtherwise | undefined {
    if (!strikes('service: confirms an order for another amount')) return undefined
    const field = random.pick(['source_amount', 'target_amount'] as const)
    const phase = random.pick(['paid_less', 'paid_more'] as const)
    const asked = new RegExp(`"${field}":([\\d.]+)`).exec(item)?.[1] ?? '0'
    const tenths = BigInt(phase === 'paid_less' ? random.between(1, 9) : random.between(11, 30))
    const decimals = decimalPlaces(asked) + 1
    return { field, phase, amount: formatAtomic((toAtomic(asked, decimals) * tenths) / 10n, decimals) }
  }

  function shown(item: string, id: string): string {
    const named = item.includes('"source_asset":"BTC"') && isRenamed(id) ? item.replaceAll('"BTC"', '"XBT"') : item
    if (item.includes('"status":"confirmed"')) {
      if (!otherwise.has(id)) otherwise.set(id, drawOtherwise(item))
      const other = otherwise.get(id)
      if (other) return named.replace(new RegExp(`("${other.field}":)[\\d.]+`), `$1${other.amount}`)
    }
    return named.replaceAll(/("(?:source_|target_)?amount":)([\d.]+)/g, (all, name: string, amount: string) => {
      const rounded = roundedTo(keptDigits, amount)
      return rounded !== amount && isRounded(amount) ? name + rounded : all
    })
  }

  return {
    paidOtherwise: (id) => otherwise.get(id),
    changing: (service) => async (input, init) => {
      const answer = await service(input, init)
      if (!answer.ok) return answer
      const text = await answer.text()
      const isCreation = init?.method === 'POST'
      const isRenamedNow = isCreation && text.includes('"BTC"') && strikes('service: calls a coin by its other name')
      if (isCreation) return new Response(isRenamedNow ? text.replaceAll('"BTC"', '"XBT"') : text, answer)
      return new Response(text.replaceAll(eachOrder, shown), answer)
    },
  }
}

/** Keeps cents in any case. */
function roundedTo(digits: number, amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const zeros = whole === '0' ? /^0*/.exec(fraction)?.[0].length : -whole.length
  const places = Math.max(2, digits + (zeros ?? 0))
  if (fraction.length <= places) return amount
  const unit = 10n ** BigInt(fraction.length - places)
  return formatAtomic((toAtomic(amount, fraction.length) + unit / 2n) / unit, places)
}

/** Draws once for each name. */
function oncePer(draw: () => boolean): (name: string) => boolean {
  const drawn = new Map<string, boolean>()
  return (name) => {
    const known = drawn.get(name)
    if (known !== undefined) return known
    const is = draw()
    drawn.set(name, is)
    return is
  }
}
