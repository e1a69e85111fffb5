/** The options of the commands that read the shop's store. */
import type { Command } from 'commander'
import { defaultSchema } from '../server/store/postgres-schema.ts'
import { defaultStorePath } from '../server/store/sqlite.ts'

/** Adds them to a command. */
export function onStore(command: Command): Command {
  return command
    .option('--store <file>', 'file of the SQLite store', defaultStorePath)
    .option('--postgres', 'use the Postgres that DATABASE_URL names instead')
    .option('--schema <name>', 'schema of its tables', defaultSchema)
}
