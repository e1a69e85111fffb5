/** `paywindow migrate`: makes the tables of the Postgres store, or prints the statement for those whose deployments run it. */
import { postgresSchema } from '../server/store/postgres-schema.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { connectPostgres } from './postgres-connection.ts'
import type { World } from './world.ts'

/** Options of `paywindow migrate`, as the command line gives them. */
export interface MigrateOptions {
  readonly schema: string
  readonly print?: boolean
}

/** Prints the statement, or runs it. @throws CommandFailure that says what is missing, or what the database has said. */
export async function migrate({ schema, print }: MigrateOptions, world: World): Promise<void> {
  const statement = postgresSchema(schema)
  if (print) return world.stdout(`${statement};\n`)
  const url = world.env.DATABASE_URL
  if (!url)
    throw new CommandFailure(
      exitCodes.usage,
      'DATABASE_URL is not set: set it to the address of the database, or print the statement with --print.',
    )
  const connection = await connectPostgres(url, world)
  try {
    await connection.query(statement, [])
  } finally {
    await connection.end()
  }
  world.stdout(`The tables in schema ${schema} are up to date.\n`)
}
