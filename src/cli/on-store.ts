/** Which store the commands read: their options, and what these name. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { defaultSchema } from '../server/store/postgres-schema.ts'
import { defaultStorePath } from '../server/store/sqlite.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import type { World } from './world.ts'

/** Options of all commands that read the store, as the command line gives them. */
export interface StoreOptions {
  /** File of the SQLite store. */
  readonly store: string
  /** Whether to use the Postgres that `DATABASE_URL` names instead. */
  readonly postgres?: boolean
  readonly schema: string
}

/** Adds them to a command. */
export function onStore(command: Command): Command {
  return command
    .option('--store <file>', 'file of the SQLite store', defaultStorePath)
    .option('--postgres', 'use the Postgres that DATABASE_URL names instead')
    .option('--schema <name>', 'schema of its tables', defaultSchema)
}

/** @throws CommandFailure when it is not set. */
export function databaseUrl({ env }: Pick<World, 'env'>): string {
  const url = env.DATABASE_URL
  if (url) return url
  throw new CommandFailure(exitCodes.usage, 'DATABASE_URL is not set: set it to the address of the database.')
}

/** The path of the SQLite store. @throws CommandFailure when it is not there: opening it would make a new one. */
export function existingFile(store: string, { folder }: Pick<World, 'folder'>): string {
  const path = resolve(folder, store)
  if (existsSync(path)) return path
  throw new CommandFailure(
    exitCodes.usage,
    `There is no store at ${path}: name its file with --store, or use --postgres.`,
  )
}
