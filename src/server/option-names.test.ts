import { expect, it } from 'vitest'
import { createSandbox } from '../sandbox/sandbox.ts'
import { createServiceClient } from '../service/client.ts'
import { clientCredentials } from '../service/client-credentials.ts'
import { fromHeader } from './http/clients.ts'
import { listen } from './http/listen.ts'
import { createPaywindow as createNodePaywindow } from './node.ts'
import { createPaywindow } from './paywindow.ts'
import { createTestShop } from './shop.testing.ts'
import { createD1Store } from './store/d1.ts'
import { createMemoryStore } from './store/memory.ts'
import { createPostgresStore } from './store/postgres.ts'
import { createRedisStore } from './store/redis.ts'

const { access } = createSandbox()
const right = { service: access, offer: () => null }
const store = createMemoryStore()
const credentials = { tokenUrl: 'https://service.example/token', clientId: 'shop', clientSecret: 'secret' }

/** What takes options, called with one that is not its own. */
const callers: Readonly<Record<string, (wrong: object) => unknown>> = {
  createPaywindow: (wrong) => createPaywindow({ ...right, store, ...wrong }),
  'createPaywindow of Node': (wrong) => createNodePaywindow({ ...right, store, ...wrong }),
  'service of createPaywindow': (wrong) => createPaywindow({ ...right, store, service: { ...access, ...wrong } }),
  createServiceClient: (wrong) => createServiceClient({ ...access, ...wrong }),
  clientCredentials: (wrong) => clientCredentials({ ...credentials, ...wrong }),
  fromHeader: (wrong) => fromHeader('x-forwarded-for', wrong),
  listen: (wrong) => listen({ fetch: async () => new Response() }, { port: 0, ...wrong }),
  createPostgresStore: (wrong) => createPostgresStore({ query: async () => ({ rows: [] }), ...wrong }),
  createRedisStore: (wrong) => createRedisStore({ command: async () => [], ...wrong }),
  createD1Store: (wrong) =>
    createD1Store({ database: { prepare: () => expect.fail(), batch: async () => [] }, ...wrong }),
  'checkouts.list': (wrong) => createTestShop().paywindow.checkouts.list(wrong),
  createSandbox: (wrong) => createSandbox(wrong),
}

it.each(Object.keys(callers))('%s refuses an option that it does not know, and says which there are', async (name) => {
  const call = async () => callers[name]?.({ timeoutMS: 1 })
  await expect(call()).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringMatching(/timeoutMS is no option\. There are \w+/),
  })
})

it('the store’s path is one of the names where Node has a store of its own', () => {
  expect(() => createNodePaywindow({ ...right, storepath: 'x' } as never)).toThrow(
    /storepath is no option\..* storePath/,
  )
})

it('a port that is no number is refused: without one, any that is free would be taken', async () => {
  const shop = { fetch: async () => new Response() }
  for (const port of [undefined, '4242', 4242.5, -1, 65_536])
    await expect(listen(shop, { port } as never)).rejects.toThrow('port must be a whole number from 0 to 65535')
})
