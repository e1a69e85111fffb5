/** A service whose fields are too long to be valid, or name an order that does not exist. */
import { asRecord, type JsonRecord } from '../../../src/contract/parse.ts'
import type { Faults } from './faults.ts'

const lengths = [65, 129, 201, 2_001, 20_000]

/** Wraps the service's `fetch`: now and then a field of an answer is far too long. Fields that money depends on stay. */
export function withHostileFields(service: typeof fetch, { strikes, random }: Faults): typeof fetch {
  function spoil(answer: JsonRecord): JsonRecord {
    const long = random.pick(['x', '9', '\u{1F4B6}']).repeat(random.pick(lengths))
    if (Array.isArray(answer.orders))
      return { ...answer, orders: answer.orders.map((order) => ({ ...asRecord(order, 'order'), description: long })) }
    if (answer.wallet_address === undefined) return { ...answer, description: long }
    const field = random.pick(['exp_time', 'message', 'id'])
    // The service's own id stays. Otherwise an id is added only if it is too long to be one: it must not look like a valid id.
    return field === 'id' && (answer.id !== undefined || long.length <= 200) ? answer : { ...answer, [field]: long }
  }

  /** Adds an id to an answer to a creation that has none. Requests for the details of that id always get a 404. */
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
    // Fields are added to the text itself, without parsing and serializing it, so that numbers keep their digits.
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
