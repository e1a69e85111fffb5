/**
 * The statements of the Postgres store, one for each verb. All values are text, and so is every column of a result: drivers
 * differ in what they make of other types. `::text::json` keeps those that look at a parameter's type from encoding it once more.
 */

/** The text of each statement. `s` is the quoted schema. */
export function statementsIn(s: string) {
  const columns = `r.key, r.value, r.version::text AS version, (
      SELECT coalesce(json_agg(json_build_array(d.queue, d.at_ms)), '[]')::text FROM ${s}.paywindow_due d WHERE d.key = r.key
    ) AS due`
  return {
    /** What the store could not do without. */
    settings: `SELECT current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') AS read_only`,
    version: versionStatement(s),
    /** `$1`: a JSON list of changes, of one record or many. Returns the keys of the records that were changed. */
    change: {
      create: changing('create'),
      replace: changing('replace'),
      reschedule: changing('reschedule'),
      remove: changing('remove'),
    },
    /** `$1`: a JSON list of keys. */
    read: `SELECT ${columns} FROM ${s}.paywindow_records r
      WHERE r.key = ANY (ARRAY (SELECT json_array_elements_text($1::text::json)))`,
    /** `$1`: the queue, `$2`: the time, `$3`: how many. */
    listDue: `SELECT ${columns} FROM (
        SELECT w.key, w.at_ms FROM ${s}.paywindow_due w WHERE w.queue = $1::text AND w.at_ms <= $2::text::bigint
          ORDER BY w.at_ms, w.key LIMIT $3::text::bigint
      ) waiting JOIN ${s}.paywindow_records r ON r.key = waiting.key ORDER BY waiting.at_ms, waiting.key`,
    list: listing(''),
    /** `$3`: the key that all of them sort before. */
    listBefore: listing('AND l.key < $3::text'),
    /** By the database's clock. The same rule as `isHeld`. `$1`: the name, `$2`: the holder, `$3`: milliseconds. */
    lease: `INSERT INTO ${s}.paywindow_leases AS l (name, holder, taken_at, for_ms)
      VALUES ($1::text, $2::text, clock_timestamp(), $3::text::double precision)
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, taken_at = clock_timestamp(), for_ms = excluded.for_ms
        WHERE l.holder = excluded.holder OR abs(extract(epoch FROM clock_timestamp() - l.taken_at)) * 1000 >= l.for_ms
      RETURNING l.name`,
    release: `DELETE FROM ${s}.paywindow_leases l WHERE l.name = $1::text AND l.holder = $2::text`,
  }

  function changing(verb: string): string {
    return `SELECT c.key FROM ${s}.paywindow_${verb}($1::text::json) AS c(key)`
  }

  /** `$1`: the label, `$2`: how many. */
  function listing(condition: string): string {
    return `SELECT ${columns} FROM (
        SELECT l.key FROM ${s}.paywindow_labels l WHERE l.label = $1::text ${condition}
          ORDER BY l.key DESC LIMIT $2::text::bigint
      ) listed JOIN ${s}.paywindow_records r ON r.key = listed.key ORDER BY listed.key DESC`
  }
}

/**
 * Reads the version of the tables, in no row where there is none. Tables of version 1 have no column for the oldest one that may use them.
 *
 * @param s - The quoted schema.
 */
export const versionStatement = (s: string): string =>
  `SELECT v.version::text AS version, to_jsonb(v) ->> 'oldest' AS oldest FROM ${s}.paywindow_versions v ORDER BY v.version DESC LIMIT 1`
