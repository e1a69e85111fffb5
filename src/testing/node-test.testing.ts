/** The suite as somebody runs it who has `node:test`: `node --test` with this file. */
import { sharedStores } from './broken-stores.testing.ts'
import { testStore } from './index.ts'

testStore('a store in memory', sharedStores())
