/** Two merchant servers on one D1 database. */
import { it } from 'vitest'
import { createD1Store } from './store/d1.ts'
import { databaseOf, describeD1 } from './store/d1-server.testing.ts'
import { sellOnTwoServers } from './two-servers.testing.ts'

describeD1('two servers on one D1 database', (d1) => {
  it('create each order once, both show it paid, and tell each change once', async () => {
    const open = () => createD1Store({ database: databaseOf(d1().port, 0) })
    await sellOnTwoServers([open(), open()])
  }, 60_000)
})
