/** The tables and functions of the Postgres store, made by one repeatable statement. */
import { PaywindowError } from '../../contract/errors.ts'

/** The schema, unless the merchant names one. */
export const defaultSchema = 'paywindow'

/** The newest version of the tables that this code knows, and the first that was released. */
export const newestVersion = 2
/**
 * The oldest version that may use them. A version that raises it renames the table of records:
 * running servers of older versions check no version, and must fail.
 */
const oldestVersion = 2

/**
 * The tables of version 2, which later versions update. Names begin with `paywindow_`, so that the
 * merchant may use the schema, too. Keys sort by their bytes in any locale.
 *
 * @param s - The quoted schema.
 */
const tablesIn = (s: string) => `
    CREATE TABLE ${s}.paywindow_records (key text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, value text NOT NULL);
    CREATE TABLE ${s}.paywindow_labels (label text COLLATE "C", key text COLLATE "C", PRIMARY KEY (label, key));
    CREATE INDEX paywindow_labels_key ON ${s}.paywindow_labels (key);
    CREATE TABLE ${s}.paywindow_due (key text COLLATE "C", queue text COLLATE "C", at_ms bigint NOT NULL, PRIMARY KEY (key, queue));
    CREATE INDEX paywindow_due_at ON ${s}.paywindow_due (queue, at_ms, key);
    CREATE TABLE ${s}.paywindow_leases (name text COLLATE "C" PRIMARY KEY, holder text COLLATE "C" NOT NULL, taken_at timestamptz NOT NULL, for_ms double precision NOT NULL);`

/**
 * The statement that makes the tables and functions of the Postgres store, or updates those of an
 * earlier release. The store runs it by itself; run it by hand if your servers' role may not create
 * tables. It is one transaction, changes nothing if nothing is to do, and waits for another run on
 * the same schema.
 *
 * @param schema - As for `createPostgresStore`. Default `paywindow`. It is created if it does not
 *   exist.
 * @throws PaywindowError `invalid_options` when it cannot be the name of a schema.
 *
 * @example
 * ```ts
 * postgresSchema('shop').startsWith('DO ') // => true
 * ```
 */
export function postgresSchema(schema: string = defaultSchema): string {
  const s = quoteSchema(schema)
  // Without a lock one of two servers that start at once would fail. A lock of the transaction also
  // works behind a pooler.
  return `DO $paywindow$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('paywindow ${schema}', 0));
  IF to_regnamespace('${s}') IS NULL THEN CREATE SCHEMA ${s}; END IF;
  IF to_regclass('${s}.paywindow_versions') IS NULL THEN
    CREATE TABLE ${s}.paywindow_versions (version integer PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now(), oldest integer);
  END IF;
  IF NOT EXISTS (SELECT FROM ${s}.paywindow_versions v WHERE v.version >= ${newestVersion}) THEN${tablesIn(s)}${functionsIn(s)}
    INSERT INTO ${s}.paywindow_versions (version, oldest) VALUES (${newestVersion}, ${oldestVersion});
  END IF;
END $paywindow$`
}

/** The schema as an identifier. @throws PaywindowError `invalid_options` */
export function quoteSchema(schema: string): string {
  // Postgres reserves names that begin with pg_, and cuts longer ones.
  if (!/^(?!pg_)[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(schema)) {
    const what = `schema is ${JSON.stringify(schema)}: use 1 to 63 letters, digits, _ and -, beginning with a letter and not with pg_`
    throw new PaywindowError('invalid_options', what)
  }
  return `"${schema}"`
}

// The functions of the Postgres store, which write. Each statement in a function sees the commits
// before it, so a function locks a record first and reads its labels and queues then. A single
// plain statement would see them as before its wait for the lock, and leave behind a queue that
// another server added meanwhile.

/**
 * Each function takes a JSON list of changes and returns the keys of the changed records.
 *
 * @param s - The quoted schema.
 */
function functionsIn(s: string): string {
  const putOnLists = `PERFORM ${s}.paywindow_put_on_lists(changes, done);`
  const putInQueues = `PERFORM ${s}.paywindow_put_in_queues(changes, done);`
  const update = `
        UPDATE ${s}.paywindow_records r SET version = r.version + 1, value = c.value
          FROM json_to_recordset(changes) AS c(key text, value text) WHERE r.key = c.key AND r.key = ANY (done);`
  const removal = ['due', 'labels', 'records'].map(
    (table) => `
        DELETE FROM ${s}.paywindow_${table} t WHERE t.key = ANY (done);`,
  )
  return [
    ...[lock, insert, lists, queues].map((each) => each(s)),
    verb(s, 'create', 'insert', putOnLists + putInQueues),
    verb(s, 'replace', 'lock', update + putOnLists + putInQueues),
    verb(s, 'reschedule', 'lock', putInQueues),
    verb(s, 'remove', 'lock', removal.join('')),
  ].join('')
}

/** @param take - The function that locks the records to change. */
function verb(s: string, name: string, take: string, work: string): string {
  return `
    CREATE FUNCTION ${s}.paywindow_${name}(changes json) RETURNS SETOF text LANGUAGE plpgsql AS $body$
      DECLARE done text[] := ${s}.paywindow_${take}(changes);
      BEGIN ${work}
        RETURN QUERY SELECT unnest(done);
      END $body$;`
}

/** Locks in the order of keys, to avoid deadlocks. */
const lock = (s: string) => `
    CREATE FUNCTION ${s}.paywindow_lock(changes json) RETURNS text[] LANGUAGE plpgsql AS $body$
      BEGIN
        RETURN (SELECT array_agg(locked.key) FROM (
          SELECT r.key FROM ${s}.paywindow_records r
            JOIN json_to_recordset(changes) AS c(key text, version bigint) ON r.key = c.key AND r.version = c.version
            ORDER BY r.key FOR UPDATE OF r
        ) locked);
      END $body$;`

const insert = (s: string) => `
    CREATE FUNCTION ${s}.paywindow_insert(changes json) RETURNS text[] LANGUAGE plpgsql AS $body$
      DECLARE done text[];
      BEGIN
        WITH inserted AS (
          INSERT INTO ${s}.paywindow_records (key, version, value)
            SELECT c.key, 1, c.value FROM json_to_recordset(changes) AS c(key text, value text)
            ON CONFLICT DO NOTHING RETURNING key
        ) SELECT array_agg(i.key) INTO done FROM inserted i;
        RETURN done;
      END $body$;`

const lists = (s: string) => `
    CREATE FUNCTION ${s}.paywindow_put_on_lists(changes json, keys text[]) RETURNS void LANGUAGE plpgsql AS $body$
      BEGIN
        DELETE FROM ${s}.paywindow_labels l WHERE l.key = ANY (keys) AND NOT EXISTS (
          SELECT FROM json_to_recordset(changes) AS c(key text, labels json), json_array_elements_text(c.labels) AS e(label)
            WHERE c.key = l.key AND e.label = l.label);
        INSERT INTO ${s}.paywindow_labels (label, key)
          SELECT e.label, c.key
            FROM json_to_recordset(changes) AS c(key text, labels json), json_array_elements_text(c.labels) AS e(label)
            WHERE c.key = ANY (keys)
          ON CONFLICT DO NOTHING;
      END $body$;`

const queues = (s: string) => `
    CREATE FUNCTION ${s}.paywindow_put_in_queues(changes json, keys text[]) RETURNS void LANGUAGE plpgsql AS $body$
      BEGIN
        DELETE FROM ${s}.paywindow_due d WHERE d.key = ANY (keys) AND NOT EXISTS (
          SELECT FROM json_to_recordset(changes) AS c(key text, due json), json_to_recordset(c.due) AS e(queue text)
            WHERE c.key = d.key AND e.queue = d.queue);
        INSERT INTO ${s}.paywindow_due (key, queue, at_ms)
          SELECT c.key, e.queue, e."atMs"
            FROM json_to_recordset(changes) AS c(key text, due json), json_to_recordset(c.due) AS e(queue text, "atMs" bigint)
            WHERE c.key = ANY (keys)
          ON CONFLICT (key, queue) DO UPDATE SET at_ms = excluded.at_ms;
      END $body$;`
