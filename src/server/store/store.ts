/**
 * What Paywindow needs of a database: create-if-absent, read, compare-and-set, lists, leases. Small enough that every store
 * can be right; the rules that money depends on stand above it, once.
 */

/** A record as it is written. `value` is text that only Paywindow reads. */
export interface NewRecord {
  readonly key: string
  readonly value: string
  /** When the watcher has to look at it, ms since the epoch; null: never. */
  readonly dueAtMs: number | null
  /** Lists the record appears in. */
  readonly labels: readonly string[]
}

/** A record as it is read. `version` is 1 when created and one more with each replacement. */
export interface StoredRecord {
  readonly key: string
  readonly value: string
  readonly version: number
}

export interface ListOptions {
  /** Only records whose key sorts before this one. */
  readonly before?: string
  readonly limit: number
}

/**
 * Every method is atomic, and what it has resolved is durable. A rejection means that nothing is known: the caller reads again.
 */
export interface Store {
  /** Creates the record unless its key exists; false when it does. */
  create(record: NewRecord): Promise<boolean>
  read(key: string): Promise<StoredRecord | undefined>
  /** Replaces the record if its version is still `version`; false when it is not, or it is gone. */
  replace(record: NewRecord, version: number): Promise<boolean>
  /** Deletes the record if its version is still `version`. */
  remove(key: string, version: number): Promise<boolean>
  /** Records due at `nowMs` or before, the longest due first. */
  listDue(nowMs: number, limit: number): Promise<readonly StoredRecord[]>
  /** Records that bear the label, keys in descending order. */
  list(label: string, options: ListOptions): Promise<readonly StoredRecord[]>
  /** Takes or extends a lease until `untilMs`; false while another holder's has not run out at `nowMs`. */
  lease(name: string, holder: string, nowMs: number, untilMs: number): Promise<boolean>
  /** Gives a lease back; does nothing when another holds it. */
  release(name: string, holder: string): Promise<void>
  close(): Promise<void>
}
