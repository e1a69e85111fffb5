/**
 * Faults of single answers of the service: errors, refusals, pages of a gateway, fields that are
 * too long, damaged addresses.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hex } from '@scure/base'
import { asRecord, type JsonRecord } from '../../../src/contract/parse.ts'
import type { FaultHook } from '../../../src/sandbox/faults.ts'
import type { Fault } from '../../../src/sandbox/index.ts'
import type { Faults } from '../world/faults.ts'
import { hostileRetryAfters, type Strain } from '../world/plan.ts'
import type { VirtualTime } from '../world/time.ts'
import type { DamagedAddresses } from '../world/types.ts'

/** Ends a line of a log, clears the terminal, and reverses the text that follows. */
const forgedLine = '\r\n\u0085\u2028[info] order paid \u009b2J\u001b[2J\u202e'

/** Draws what goes wrong with one request, if anything. Error messages contain `bait`, a secret. */
export function drawServiceFault({ strikes, random }: Faults, bait: string): Fault | undefined {
  const said = () => `Upstream trouble, ${strikes('service: words that forge a line') ? forgedLine : ''}${bait}`
  const status = () => random.pick([500, 502, 503, 504])
  if (strikes('service: reset before work')) return { kind: 'reset' }
  if (strikes('service: reset after work')) return { kind: 'reset', workDone: true }
  if (strikes('service: hang before work')) return { kind: 'hang' }
  if (strikes('service: hang after work')) return { kind: 'hang', workDone: true }
  if (strikes('service: 429 with Retry-After'))
    return { kind: 'status', status: 429, retryAfter: String(random.between(1, 20)), message: said() }
  if (strikes('service: 429 with a hostile Retry-After'))
    return { kind: 'status', status: 429, retryAfter: random.pick(hostileRetryAfters), message: said() }
  if (strikes('service: 5xx before work')) return { kind: 'status', status: status(), message: said() }
  if (strikes('service: 5xx after work')) return { kind: 'status', status: status(), workDone: true, message: said() }
  if (strikes('service: page of HTML')) return { kind: 'html' }
  if (strikes('service: truncated body')) return { kind: 'truncated' }
  if (strikes('service: body twice')) return { kind: 'duplicated' }
  if (strikes('service: empty body')) return { kind: 'empty' }
  if (strikes('service: slow answer'))
    return { kind: 'latency', beforeMs: random.between(0, 9_000), afterMs: random.between(0, 9_000) }
  return undefined
}

/** Wraps the fault hook `usual`: the service also refuses requests during a refusal of the plan. */
export function throughRefusals(strain: Strain, time: VirtualTime, faults: Faults, usual: FaultHook): FaultHook {
  const startMs = time.nowMs()
  return (request) => {
    const sinceMs = time.nowMs() - startMs
    const refusal = strain.refusals.find(({ atMs, forMs }) => sinceMs >= atMs && sinceMs < atMs + forMs)
    const isMeant = refusal && (refusal.status !== 400 || request.method === 'POST')
    if (!isMeant || !faults.strikes('service: refuses for an hour')) return usual(request)
    const { status, retryAfter } = refusal
    return { kind: 'status', status, message: 'No', ...(retryAfter !== null && { retryAfter }) } satisfies Fault
  }
}

const lengths = [65, 129, 201, 2_001, 20_000]

/** Wraps the service's `fetch`: some fields are far too long, but none that money depends on. */
export function withHostileFields(service: typeof fetch, { strikes, random }: Faults): typeof fetch {
  function spoil(answer: JsonRecord): JsonRecord {
    const long = random.pick(['x', '9', '\u{1F4B6}']).repeat(random.pick(lengths))
    if (Array.isArray(answer.orders))
      return { ...answer, orders: answer.orders.map((order) => ({ ...asRecord(order, 'order'), description: long })) }
    if (answer.wallet_address === undefined) return { ...answer, description: long }
    const field = random.pick(['exp_time', 'message', 'id'])
    // An id is added only if the service gave none, and only if it is too long to look valid.
    return field === 'id' && (answer.id !== undefined || long.length <= 200) ? answer : { ...answer, [field]: long }
  }

  /** Adds an id to an answer to a creation that has none. The service does not know that id. */
  async function withUnknownId(answer: Response): Promise<Response> {
    const text = await answer.text()
    const id = Array.from({ length: 12 }, () => random.between(0, 9)).join('')
    const isNamed = /^\s*\{\s*"id"/.test(text)
    return new Response(isNamed ? text : text.replace('{', `{"id":"0e57ab1e-0000-4000-8000-${id}",`), answer)
  }

  return async (input, init) => {
    const answer = await service(input, init)
    if (!answer.ok) return answer
    if (init?.method === 'POST' && strikes('service: names an order that it does not know'))
      return withUnknownId(answer)
    if (!strikes('service: field too long')) return answer
    const text = await answer.text()
    // Fields are added to the text, so that numbers keep their digits.
    const open = /^\s*\{/.test(text) && text.trimEnd().endsWith('}')
    if (!open) return new Response(text, answer)
    try {
      const before = asRecord(JSON.parse(text), 'answer')
      const added = Object.entries(spoil(before)).filter(([name, value]) => value !== before[name] && name !== 'orders')
      const end = text.lastIndexOf('}')
      const more = added.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('')
      return new Response(`${text.slice(0, end)}${more}${text.slice(end)}`, answer)
    } catch {
      // A body that is not valid JSON is passed on unchanged.
      return new Response(text, answer)
    }
  }
}

const mostSeconds = 2 * 3_600

/**
 * Wraps the service's `fetch`: some error pages get a `Date` from a gateway's own clock, which is a
 * minute to two hours off.
 */
export function withGatewayTimes(service: typeof fetch, { strikes, random }: Faults): typeof fetch {
  return async (input, init) => {
    const answer = await service(input, init)
    const date = answer.headers.get('date')
    if (date === null || !isOfGateway(answer) || !strikes('service: page with the time of a gateway')) return answer
    const headers = new Headers(answer.headers)
    const aheadMs = random.pick([-1, 1]) * random.between(60, mostSeconds) * 1_000
    headers.set('date', new Date(Date.parse(date) + aheadMs).toUTCString())
    return new Response(answer.body, { status: answer.status, headers })
  }
}

/** Whether something in front of the service may have written the answer. */
export function isOfGateway({ ok, headers }: Response): boolean {
  return !ok || !headers.get('content-type')?.includes('json')
}

/** Published addresses, and how the addresses of their networks begin. */
const elsewhere = [
  { begins: /^tb1/, address: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7' },
  { begins: /^tltc1/, address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
  { begins: /^0x/, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  { begins: /^T/, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
  { begins: /^r/, address: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn' },
  { begins: /^G/, address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ' },
]

/** Replacements for a character. The last ones break a line, control a terminal, reverse text. */
const characters = [...'023456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ', '\u2028', '\u009b', '\u202e']

/**
 * Whether an address passes the check of EIP-55. It has one bit for each letter, so one damage in
 * two thousand passes where there are eleven, and nobody can notice.
 */
function isEthereum(address: string): boolean {
  const [, digits = ''] = /^0x([\da-fA-F]{40})$/.exec(address) ?? []
  const hash = hex.encode(keccak_256(new TextEncoder().encode(digits.toLowerCase())))
  const right = [...digits.toLowerCase()].map((digit, at) => (hash.charAt(at) > '7' ? digit.toUpperCase() : digit))
  return digits !== '' && right.join('') === digits
}

/** Creates it with no wrong address shown yet. */
export function createDamagedAddresses({ strikes, random }: Faults): DamagedAddresses {
  const shown = new Set<string>()

  function damaged(address: string): string {
    if (random.chance(0.4)) return random.pick(elsewhere.filter(({ begins }) => !begins.test(address))).address
    const at = random.between(0, address.length - 1)
    const other = random.pick(characters.filter((character) => character !== address[at]))
    const wrong = address.slice(0, at) + other + address.slice(at + 1)
    return isEthereum(wrong) ? damaged(address) : wrong
  }

  return {
    has: (address) => shown.has(address),
    damaging: (service) => async (input, init) => {
      const answer = await service(input, init)
      const isCreation = init?.method === 'POST' && String(input).endsWith('/order/exchange')
      if (!isCreation || !answer.ok || !strikes('service: damaged address')) return answer
      // The text is changed, so that numbers keep their digits.
      const text = (await answer.text()).replace(/"wallet_address":"([^"]+)"/g, (_, address: string) => {
        const wrong = damaged(address)
        shown.add(wrong)
        return `"wallet_address":${JSON.stringify(wrong)}`
      })
      return new Response(text, answer)
    },
  }
}
