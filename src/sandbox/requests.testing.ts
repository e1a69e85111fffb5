/**
 * For tests: requests to a sandbox without our client, so that both client and sandbox are held
 * against the reference.
 */
import type { SandboxOptions } from './options.ts'
import { seededRandom } from './random.ts'
import { createSandbox } from './sandbox.ts'

/** The time at which the sandbox of these tests starts. */
export const startMs = Date.parse('2026-11-21T10:00:00.250Z')

/** A wallet that can be registered. */
export const wallet = {
  asset: 'USDC',
  name: 'Treasury',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  network: 'erc-20',
}

/** A request, besides the documented headers. */
export interface Wanted {
  readonly method?: string
  readonly body?: unknown
  /** A header of null is left out. */
  readonly headers?: Readonly<Record<string, string | null>>
}

/** A repeatable sandbox, and functions that send it a request and resolve with the answer. */
export function setUp(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ now: () => startMs, random: seededRandom(1), ...options })
  const ask = async (path: string, { method = 'GET', body, headers = {} }: Wanted = {}) => {
    const all = new Headers({
      authorization: `Bearer ${sandbox.access.accessToken}`,
      'x-sub-account-id': sandbox.access.subAccountId,
      accept: 'application/json',
    })
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) all.delete(name)
      else all.set(name, value)
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const init = { method, headers: all, ...(body === undefined ? {} : { body: text }) }
    const response = await sandbox.fetch(`https://service.example${path}`, init)
    const answer = await response.text()
    return { status: response.status, headers: response.headers, text: answer, json: JSON.parse(answer) }
  }
  const create = (body: Readonly<Record<string, unknown>> = {}) =>
    ask('/v1/order/exchange', {
      method: 'POST',
      body: { source_asset: 'ETH', target_asset: 'USD', target_amount: '49.90', ...body },
    })
  return { sandbox, ask, create }
}
