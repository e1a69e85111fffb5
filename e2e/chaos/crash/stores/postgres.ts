/** A Postgres, which is ended as by `pg_ctl stop -m immediate`. */
import { startPostgres } from '../../../../src/server/store/postgres-server.testing.ts'
import type { CrashStore } from './store.ts'

const tables = ['records', 'labels', 'due', 'leases'].map((name) => `paywindow_${name}`)

/** Starts it, with all that it does to lose nothing. */
export async function postgresStore(): Promise<CrashStore> {
  const postgres = await startPostgres('fsync=on')
  const run = async (statements: readonly string[]) => {
    const pool = postgres.openPool()
    // One message, so one connection. A copy of one moment.
    await pool.query(['BEGIN ISOLATION LEVEL REPEATABLE READ', ...statements, 'COMMIT'].join(';'))
  }
  return {
    place: { kind: 'postgres', url: postgres.url },
    backUp: () =>
      run(['CREATE SCHEMA copy', ...tables.map((each) => `CREATE TABLE copy.${each} AS TABLE paywindow.${each}`)]),
    restore: () =>
      run(
        tables.flatMap((each) => [
          `TRUNCATE paywindow.${each}`,
          `INSERT INTO paywindow.${each} SELECT * FROM copy.${each}`,
        ]),
      ),
    crash: postgres.crash,
    readableByOthers: () => [],
    stop: postgres.stop,
  }
}
