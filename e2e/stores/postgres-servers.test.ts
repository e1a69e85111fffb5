/** Two merchant servers on one Postgres, each with connections of its own. */
import { it } from 'vitest'
import { describePostgres, storeOn } from './postgres-server.ts'
import { sellOnTwoServers } from './two-servers.ts'

describePostgres('two servers on one Postgres', (postgres) => {
  it('create each order once, both show it paid, and tell each change once', async () => {
    await sellOnTwoServers([storeOn(postgres().openPool()), storeOn(postgres().openPool())])
  }, 60_000)
})
