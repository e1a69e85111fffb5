/** Two merchant servers on one D1 database. */
import { it } from 'vitest'
import { createD1Store } from '../../src/server/store/d1.ts'
import { databaseOf, describeD1 } from './d1-server.ts'
import { sellOnTwoServers } from './two-servers.ts'

describeD1('two servers on one D1 database', (d1) => {
  it('create each order once, both show it paid, and tell each change once', async () => {
    const open = () => createD1Store({ database: databaseOf(d1().port, 0) })
    await sellOnTwoServers([open(), open()])
  }, 60_000)
})
