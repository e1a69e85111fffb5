import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import * as own from './node-sqlite.ts'

it("is Node's own module", () => {
  expect(own.DatabaseSync).toBe(DatabaseSync)
})

it.each([
  ['cannot say what it has', { version: 'v20.10.0' }],
  ['says that it has none', { version: 'v20.10.0', getBuiltinModule: () => undefined }],
])('names the Node that is needed where one %s', (_, node) => {
  expect(() => own.sqliteOf(node)).toThrow(/needs Node 22\.13 or later, .*SQLite.* This is Node v20\.10\.0/)
})
