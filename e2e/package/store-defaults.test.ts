/** Every default of stores and of functions that documents name is the one that the code has. */
import { describe, expect, it, vi } from 'vitest'
import { membersOf } from '../../scripts/public-names.ts'
import { fromHeader } from '../../src/server/http/clients.ts'
import { createPostgresStore } from '../../src/server/store/postgres.ts'
import { postgresSchema } from '../../src/server/store/postgres-schema.ts'
import { createRedisStore } from '../../src/server/store/redis.ts'
import { createMerchantCheckouts } from '../../src/server/views/merchant-view.ts'
import { inDocstrings, inTheirWords } from './defaults.testing.ts'

/** What the docstring of a public name says after “default”. */
function numberIn(entry: string, name: string): number {
  const found = membersOf(entry).find((member) => member.name === name)
  const docs = [found, ...(found?.members ?? [])].map((each) => each?.docComment ?? '').join('\n')
  return Number(/\bdefault (\d+)/i.exec(docs)?.[1])
}

describe('the stores', () => {
  it('of Postgres has the schema of its docstrings', async () => {
    const sent: string[] = []
    const query = async (text: string) => {
      sent.push(text)
      return { rows: [{ version: '1', encoding: 'UTF8' }] }
    }
    // Its rows are no records, which does not matter here.
    await createPostgresStore({ query })
      .read('a')
      .catch(() => {})
    const schema = /CREATE SCHEMA "(.*?)"/.exec(sent.join())?.[1]
    const documented = inDocstrings('server-postgres', 'PostgresStoreOptions')
    expect(inTheirWords(documented, { schema }, {})).toEqual(documented)
    expect(Object.keys(documented)).toEqual(['schema'])
  })

  it('of Postgres is made by the same statement by hand', () => {
    const docs = membersOf('server-postgres').find(({ name }) => name === 'postgresSchema')?.docComment
    const [, schema = ''] = /Default `(.*?)`/.exec(docs ?? '') ?? []
    expect(postgresSchema()).toBe(postgresSchema(schema))
  })

  it('of Redis has the prefix and the warnings of its docstrings', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const keys: string[] = []
    const store = createRedisStore({
      command: async (_, key) => {
        keys.push(key)
        return []
      },
    })
    await store.read('a')
    const code = {
      prefix: /^\{(.*?)\}/.exec(keys[0] ?? '')?.[1],
      onWarning: warn.mock.calls.length > 0 ? 'console.warn' : 'another',
    }
    warn.mockRestore()
    const documented = inDocstrings('server-redis', 'RedisStoreOptions')
    expect(inTheirWords(documented, code, {})).toEqual(documented)
    expect(Object.keys(documented).sort()).toEqual(['onWarning', 'prefix'])
  })
})

it('fromHeader trusts as many proxies as its docstring says', () => {
  const trustedHops = numberIn('server', 'fromHeader')
  const request = new Request('https://shop.example', {
    headers: { 'x-forwarded-for': '198.51.100.1, 198.51.100.2, 198.51.100.3' },
  })
  const named = fromHeader('x-forwarded-for', { trustedHops })(request)
  expect(named).toMatch(/^198\.51\.100\./)
  expect(fromHeader('x-forwarded-for')(request)).toBe(named)
})

it('checkouts.list has as many as its docstring says', async () => {
  const limits: (number | undefined)[] = []
  const repository = {
    readCheckout: async () => undefined,
    listCheckouts: async (_: unknown, { limit }: { limit?: number }) => {
      limits.push(limit)
      return []
    },
  }
  await createMerchantCheckouts(repository as never, {} as never).list()
  expect(limits).toEqual([numberIn('server', 'MerchantCheckouts')])
})
