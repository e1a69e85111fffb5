/**
 * A service that shows its orders otherwise than it made them: with other amounts and names, for
 * two requests, with old statuses, or by numbers.
 */
import { decimalPlaces, formatAtomic, toAtomic } from '../../../src/contract/decimal.ts'
import { asRecord } from '../../../src/contract/parse.ts'
import type { Sandbox, SandboxOrder } from '../../../src/sandbox/index.ts'
import type { Faults } from '../world/faults.ts'
import { createRandomStream } from '../world/random.ts'
import type { PaidOtherwise, ShownOrders, StuckReplica, World } from '../world/types.ts'

/** An order in the list or the details. The text is changed, so that numbers keep their digits. */
const eachOrder = /\{"id":"([^"]+)","account_id":[^{}]*\}/g
/** Digits that a rounded amount keeps: servers take less than a ten-thousandth for rounding. */
const keptDigits = 6

/** A service that rounds amounts, names coins otherwise, and confirms other amounts. */
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

/** Rounds to so many digits, but keeps cents. */
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

const forgetsAfterMs = 20_000

interface Answered {
  readonly text: string
  readonly atMs: number
  readonly address: string
  readonly tag: string | null
}

/**
 * A gateway before the service that takes two equal requests for one. Within seconds it gives the
 * second the answer to the first. It gives away only an order that another checkout has: nobody
 * could tell whose an order without a checkout is.
 */
export function sharingOrders(
  service: typeof fetch,
  { plan, time, sandbox, audit, faults }: Pick<World, 'plan' | 'time' | 'sandbox' | 'audit' | 'faults'>,
): typeof fetch {
  const answered = new Map<string, Answered>()

  function ofAnother(body: string): Answered | undefined {
    const before = answered.get(body)
    if (!before || time.nowMs() - before.atMs > forgetsAfterMs) return undefined
    const owner = audit.checkoutAt(before.address, before.tag)
    return owner && owner.id !== audit.calls.getStore()?.intent?.checkoutId ? before : undefined
  }

  return async (input, init) => {
    if (init?.method !== 'POST') return service(input, init)
    const body = String(init.body)
    const before = ofAnother(body)
    if (before && faults.strikes('service: gives two requests one order')) {
      const date = new Date(sandbox.clock.now() + (plan.sandbox.dateAheadMs ?? 0)).toUTCString()
      return new Response(before.text, { headers: { 'content-type': 'application/json', date } })
    }
    const answer = await service(input, init)
    const text = await answer.text()
    const place = answer.ok ? placeIn(text) : undefined
    if (place) answered.set(body, { text, atMs: time.nowMs(), ...place })
    return new Response(text, answer)
  }
}

/** Undefined where the answer is none that a server could use. */
function placeIn(text: string): Pick<Answered, 'address' | 'tag'> | undefined {
  try {
    const { wallet_address: address, tag } = asRecord(JSON.parse(text), 'answer')
    return typeof address === 'string' ? { address, tag: tag === '' ? null : String(tag) } : undefined
  } catch {
    return undefined
  }
}

const minuteMs = 60_000
/** An order as the list and the details begin it, up to its status. */
const orderStart = /("id":"([\da-f-]{36})","account_id":[^{}]*?"status":")[a-z]+"/g

/**
 * Two replicas of the service's data, one of which is stuck now and then: every other answer has
 * the statuses of an earlier time.
 */
export function createStuckReplica({
  plan,
  time,
  faults,
  sandbox,
}: Pick<World, 'plan' | 'time' | 'faults' | 'sandbox'>): StuckReplica {
  const random = createRandomStream(plan.seed, 'stuck replica')
  /** The old statuses that it shows, undefined while it is not stuck. Later orders stay. */
  let statuses: ReadonlyMap<string, string> | undefined

  /** Changes the text, so that numbers keep their digits. A canceled order keeps its spelling. */
  function asOfThen(text: string): string {
    return text.replaceAll(orderStart, (all: string, start: string, id: string) => {
      const status = statuses?.get(id) ?? 'canceled'
      return status === 'canceled' ? all : `${start}${status}"`
    })
  }

  return {
    behind: (service) => async (input, init) => {
      const answer = await service(input, init)
      const isRead = init?.method !== 'POST' && answer.ok
      if (!isRead || !statuses || faults.stopped || random.chance(0.5)) return answer
      return new Response(asOfThen(await answer.text()), answer)
    },
    run: async (until) => {
      while (!until() && !faults.stopped) {
        await time.sleep(random.between(2, 20) * minuteMs)
        if (!faults.strikes('service: replica is stuck')) continue
        statuses = new Map(sandbox.orders().map(({ id, status }) => [id, status]))
        await time.sleep(random.between(3, 25) * minuteMs)
        statuses = undefined
      }
    },
  }
}

/** A service that numbers each account's orders from 1, so two accounts have the same ids. */
export function numbered(sandbox: Sandbox): Sandbox {
  const numbers = new Map<string, string>()
  const ids: string[] = []

  function numberOf(id: string): string {
    if (!numbers.has(id))
      for (const order of sandbox.orders().slice(ids.length)) numbers.set(order.id, String(ids.push(order.id)))
    return numbers.get(id) ?? id
  }

  const idOf = (number: string) => ids[Number(number) - 1] ?? number
  const shown = (order: SandboxOrder): SandboxOrder => ({ ...order, id: numberOf(order.id) })
  const change = (act: (id: string) => SandboxOrder) => (number: string) => shown(act(idOf(number)))

  const numberedFetch: typeof fetch = async (input, init) => {
    const url = String(input).replace(/(\/details\/)(\d+)$/, (_, path: string, number: string) => path + idOf(number))
    const answer = await sandbox.fetch(url, init)
    if (!answer.headers.get('content-type')?.includes('json')) return answer
    const text = (await answer.text()).replaceAll(
      /("id":")([0-9a-f-]{36})"/g,
      (_, name, id) => `${name}${numberOf(id)}"`,
    )
    return new Response(text, answer)
  }

  const { payer } = sandbox
  return {
    ...sandbox,
    fetch: numberedFetch,
    access: { ...sandbox.access, fetch: numberedFetch },
    payer: {
      deposit: (deposit) => {
        const result = payer.deposit(deposit)
        return result.matched ? { ...result, order: shown(result.order) } : result
      },
      confirm: change(payer.confirm),
      acceptLate: change(payer.acceptLate),
      completeRefund: change(payer.completeRefund),
      cancel: change(payer.cancel),
    },
    get faults() {
      return sandbox.faults
    },
    set faults(faults) {
      sandbox.faults = faults
    },
    orders: () => sandbox.orders().map(shown),
    addOrder: (order) => shown(sandbox.addOrder(order)),
  }
}
