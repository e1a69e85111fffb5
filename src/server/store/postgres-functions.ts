/**
 * The functions of the Postgres store, which write. Each statement of such a function sees what others have committed until then. So a
 * record is locked first, and its labels and queues are looked at after that. One plain statement would look at them as they were before it
 * waited for the lock, and leave behind a queue that another server has put the record in meanwhile.
 */

/**
 * All that version 1 has. A function of a verb takes a JSON list of changes and returns the keys of the records that were changed.
 *
 * @param s - The quoted schema.
 */
export function functionsIn(s: string): string {
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

/** @param take - The function that says which records it is about; nobody else can change them from then on. */
function verb(s: string, name: string, take: string, work: string): string {
  return `
    CREATE FUNCTION ${s}.paywindow_${name}(changes json) RETURNS SETOF text LANGUAGE plpgsql AS $body$
      DECLARE done text[] := ${s}.paywindow_${take}(changes);
      BEGIN ${work}
        RETURN QUERY SELECT unnest(done);
      END $body$;`
}

/** Locks in the order of keys, so that no two servers wait for each other. */
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
