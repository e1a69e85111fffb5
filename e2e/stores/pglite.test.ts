/** The Postgres store on PGlite, which runs wherever Node does. */
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createPostgresStore } from '../../src/server/store/postgres.ts'
import { testStore } from '../../src/testing/index.ts'

/** PGlite has its clock from this process: these two rules are about databases with their own. */
const aboutOwnClocks = [
  'respects a lease whatever the time is where it was taken, and where others want it',
  'ends a lease after its duration that a server with a wrong clock has taken',
]

let database: PGlite
beforeAll(async () => {
  // A second on a machine that has nothing else to do, half a minute on one that has.
  database = await PGlite.create()
}, 180_000)
afterAll(() => database?.close(), 60_000)

testStore(
  'a store on PGlite',
  (place) => createPostgresStore({ query: (text, values) => database.query(text, values), schema: place }),
  { describe, it: (name, test) => it.skipIf(aboutOwnClocks.includes(name))(name, test) },
)
