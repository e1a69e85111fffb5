/** A Postgres, which is ended as by `pg_ctl stop -m immediate`. */
import { runOn } from '../../../stores/postgres-server.ts'
import { postgresStarted } from '../../../stores/start-store.ts'
import type { CrashStore } from './store.ts'

const tables = ['records', 'labels', 'due', 'leases'].map((name) => `paywindow_${name}`)

/** @throws Error with what Postgres said when it does not start. */
export async function postgresStore(): Promise<CrashStore> {
  const started = await postgresStarted()
  // A copy of one moment.
  const run = (statements: readonly string[]) =>
    runOn(started.place.url, ['BEGIN ISOLATION LEVEL REPEATABLE READ', ...statements, 'COMMIT'])
  return {
    ...started,
    backUp: () =>
      run(['CREATE SCHEMA copy', ...tables.map((each) => `CREATE TABLE copy.${each} AS TABLE paywindow.${each}`)]),
    restore: () =>
      run(
        tables.flatMap((each) => [
          `TRUNCATE paywindow.${each}`,
          `INSERT INTO paywindow.${each} SELECT * FROM copy.${each}`,
        ]),
      ),
    readableByOthers: () => [],
  }
}
