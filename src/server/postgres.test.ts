/** Two merchant servers on one Postgres, each with connections of its own. */
import { afterAll, beforeAll, describe, it } from 'vitest'
import { noPostgres } from './store/postgres-programs.testing.ts'
import { startPostgres, storeOn, type TestPostgres } from './store/postgres-server.testing.ts'
import { sellOnTwoServers } from './two-servers.testing.ts'

let postgres: TestPostgres
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await startPostgres()
}, 60_000)
afterAll(() => postgres?.stop(), 60_000)

describe.skipIf(noPostgres !== undefined)('two servers on one Postgres', () => {
  it('create each order once, both show it paid, and tell each change once', async () => {
    await sellOnTwoServers([storeOn(postgres.openPool()), storeOn(postgres.openPool())])
  }, 60_000)
})
