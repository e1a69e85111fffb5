/** The tables and functions of the Postgres store, made and brought up to date by one statement that may run any number of times. */
import { PaywindowError } from '../../contract/errors.ts'
import { functionsIn } from './postgres-functions.ts'
import { type Migration, versionAfter } from './versions.ts'

/** Of the tables, where the merchant names no schema. */
export const defaultSchema = 'paywindow'

/**
 * Running the first n of these makes version n. Append only: servers of two versions may run on the same tables, as far as `oldest` says. Names begin with
 * `paywindow_`, so that the schema may be one that the merchant uses too. `s` is the quoted schema.
 */
const migrations: readonly Migration<(s: string) => string>[] = [
  {
    oldest: 1,
    // Keys sort by their bytes, whatever the database's language is.
    change: (s) => `
    CREATE TABLE ${s}.paywindow_records (key text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, value text NOT NULL);
    CREATE TABLE ${s}.paywindow_labels (label text COLLATE "C", key text COLLATE "C", PRIMARY KEY (label, key));
    CREATE INDEX paywindow_labels_key ON ${s}.paywindow_labels (key);
    CREATE TABLE ${s}.paywindow_due (key text COLLATE "C", queue text COLLATE "C", at_ms bigint NOT NULL, PRIMARY KEY (key, queue));
    CREATE INDEX paywindow_due_at ON ${s}.paywindow_due (queue, at_ms, key);
    CREATE TABLE ${s}.paywindow_leases (name text COLLATE "C" PRIMARY KEY, holder text COLLATE "C" NOT NULL, taken_at timestamptz NOT NULL, for_ms double precision NOT NULL);
    ${functionsIn(s)}`,
  },
  {
    oldest: 1,
    // In the row of the newest version: the oldest one that may use the tables.
    change: (s) => `
    ALTER TABLE ${s}.paywindow_versions ADD COLUMN oldest integer;`,
  },
]

/** The newest version of the tables that this code knows. */
export const newestVersion = migrations.length

/**
 * The statement that makes the tables and functions of the Postgres store, or brings those of an earlier version up to date. The store runs it
 * by itself; run it by hand where the role of your servers may not create tables. It is one statement and one transaction,
 * changes nothing where there is nothing to do, and waits for another that runs on the same schema.
 *
 * @param schema - As for `createPostgresStore`. Default `paywindow`. It is created if it does not exist.
 * @throws PaywindowError `invalid_options` when it cannot be the name of a schema.
 *
 * @example
 * ```ts
 * postgresSchema('shop').startsWith('DO ') // => true
 * ```
 */
export function postgresSchema(schema: string = defaultSchema): string {
  const s = quoteSchema(schema)
  const newest = versionAfter(migrations)
  const steps = migrations.map(({ change }, index) => {
    const version = index + 1
    return `  IF newest < ${version} THEN${change(s)}
    INSERT INTO ${s}.paywindow_versions (version) VALUES (${version});
  END IF;`
  })
  // A lock of the transaction holds behind a pooler, too. Two servers that start at once would both find nothing, and one of them fail.
  return `DO $paywindow$
DECLARE newest integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('paywindow ${schema}', 0));
  IF to_regnamespace('${s}') IS NULL THEN CREATE SCHEMA ${s}; END IF;
  IF to_regclass('${s}.paywindow_versions') IS NULL THEN
    CREATE TABLE ${s}.paywindow_versions (version integer PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now());
  END IF;
  SELECT coalesce(max(v.version), 0) INTO newest FROM ${s}.paywindow_versions v;
${steps.join('\n')}
  IF newest < ${newest.version} THEN UPDATE ${s}.paywindow_versions SET oldest = ${newest.oldest} WHERE version = ${newest.version}; END IF;
END $paywindow$`
}

/** The schema as an identifier. @throws PaywindowError `invalid_options` */
export function quoteSchema(schema: string): string {
  // Postgres keeps names that begin with pg_ for itself, and cuts longer ones off.
  if (!/^(?!pg_)[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(schema)) {
    throw new PaywindowError(
      'invalid_options',
      `schema is ${JSON.stringify(schema)}: use 1 to 63 letters, digits, _ and -, beginning with a letter and not with pg_`,
    )
  }
  return `"${schema}"`
}
