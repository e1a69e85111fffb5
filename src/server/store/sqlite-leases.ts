/** Leases in the SQL of SQLite, for a file and for D1. The rule of both is that of `isHeld`. */

/** The table of leases, which is created. */
export const createLeases = (table: string) =>
  `CREATE TABLE ${table} (name TEXT PRIMARY KEY, holder TEXT NOT NULL, taken_at_ms INTEGER NOT NULL, for_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID`

/**
 * Statements that take and release a lease. Taking it changes a row, or none while another holds it.
 *
 * @param terms - Expressions, or names of parameters: the lease, who wants it, the time of the store's clock, and for how long.
 */
export function leaseStatements(
  table: string,
  { name, holder, nowMs, forMs }: Readonly<Record<'name' | 'holder' | 'nowMs' | 'forMs', string>>,
) {
  return {
    take: `INSERT INTO ${table} (name, holder, taken_at_ms, for_ms) VALUES (${name}, ${holder}, ${nowMs}, ${forMs})
      ON CONFLICT (name) DO UPDATE SET holder = ${holder}, taken_at_ms = ${nowMs}, for_ms = ${forMs}
      WHERE holder = ${holder} OR abs(${nowMs} - taken_at_ms) >= for_ms`,
    release: `DELETE FROM ${table} WHERE name = ${name} AND holder = ${holder}`,
  }
}
