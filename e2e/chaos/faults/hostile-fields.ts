/** A service whose fields are longer than anything can be, or name an order that there is not. */
import { asRecord, type JsonRecord } from '../../../src/contract/parse.ts'
import type { Faults } from './faults.ts'

const lengths = [65, 129, 201, 2_001, 20_000]

/** Wraps the service: now and then one field of an answer is far too long. Fields that money depends on stay as they are. */
export function withHostileFields(service: typeof fetch, { strikes, random }: Faults): typeof fetch {
  function spoil(answer: JsonRecord): JsonRecord {
    const long = random.pick(['x', '9', '\u{1F4B6}']).repeat(random.pick(lengths))
    if (Array.isArray(answer.orders))
      return { ...answer, orders: answer.orders.map((order) => ({ ...asRecord(order, 'order'), description: long })) }
    if (answer.wallet_address === undefined) return { ...answer, description: long }
    const field = random.pick(['date_time', 'exp_time', 'message', 'id'])
    // An id is no id at all, or the service's own: a wrong one that could be right would be a lie.
    return field === 'id' && (answer.id !== undefined || long.length <= 200) ? answer : { ...answer, [field]: long }
  }

  /** The answer to a creation that has no id gets one that the details will answer 404 for ever. */
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
    // Numbers keep their digits: the text is changed, not read and written again.
    const open = /^\s*\{/.test(text) && text.trimEnd().endsWith('}')
    if (!open) return new Response(text, answer)
    try {
      const before = asRecord(JSON.parse(text), 'answer')
      const added = Object.entries(spoil(before)).filter(([name, value]) => value !== before[name] && name !== 'orders')
      const end = text.lastIndexOf('}')
      const more = added.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('')
      return new Response(`${text.slice(0, end)}${more}${text.slice(end)}`, answer)
    } catch {
      // A broken body stays one.
      return new Response(text, answer)
    }
  }
}
