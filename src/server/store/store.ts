/**
 * The contract of a store: create-if-absent, read, compare-and-set, delete, two kinds of lists,
 * leases. Small enough to be implemented correctly for every database: the rules of money are above
 * it.
 */

/**
 * A record waits in this queue until a time, ms since the epoch.
 *
 * @example
 * ```ts
 * const due: Due = { queue: 'look', atMs: Date.now() + 60_000 }
 * ```
 */
export interface Due {
  readonly queue: string
  readonly atMs: number
}

/**
 * A record as it is written. `value` is text that only Paywindow reads.
 *
 * @example
 * ```ts
 * const record: NewRecord = { key: 'a', value: '{}', labels: ['open'], due: [{ queue: 'look', atMs: 0 }] }
 * ```
 */
export interface NewRecord {
  readonly key: string
  readonly value: string
  /** The queues it waits in, each named once. */
  readonly due: readonly Due[]
  /** Lists the record appears in. */
  readonly labels: readonly string[]
  /**
   * Will hardly be read again, so a store may compress it. No method treats it differently.
   * Default: false.
   */
  readonly isArchived?: boolean
}

/**
 * A record as it is read, with its queues in no order. `version` is 1 at creation and rises by one
 * with each replacement.
 *
 * @example
 * ```ts
 * const record: StoredRecord = { key: 'a', value: '{}', version: 1, due: [] }
 * ```
 */
export interface StoredRecord extends Pick<NewRecord, 'key' | 'value' | 'due'> {
  readonly version: number
}

/**
 * The new record, and the version that it replaces.
 *
 * @example
 * ```ts
 * const replacement: Replacement = { record: { key: 'a', value: '{}', labels: [], due: [] }, version: 1 }
 * ```
 */
export interface Replacement {
  readonly record: NewRecord
  readonly version: number
}

/**
 * The new queues of a record, and its version.
 *
 * @example
 * ```ts
 * const rescheduling: Rescheduling = { key: 'a', due: [{ queue: 'look', atMs: 60_000 }], version: 1 }
 * ```
 */
export interface Rescheduling extends Pick<StoredRecord, 'key' | 'due' | 'version'> {}

/**
 * The part of a list to read.
 *
 * @example
 * ```ts
 * const options: ListOptions = { before: 'checkout-17', limit: 100 }
 * ```
 */
export interface ListOptions {
  /** Only records whose key sorts before this one. Default: from the last key on. */
  readonly before?: string
  /** How many records there may be, at most. */
  readonly limit: number
}

/**
 * Every method is atomic, and durable once it has resolved. After a rejection the change may have
 * been made: the caller reads again. Texts are well-formed and have no U+0000. Keys and names of
 * queues have up to 205 UTF-16 units, labels and names of leases up to 500, values up to a million.
 * Keys sort by their code points, those beyond U+FFFF in any order. `paywindow/testing` checks a
 * store against all of this.
 *
 * @example
 * ```ts
 * async function rename(store: Store, key: string, value: string): Promise<boolean> {
 *   const found = await store.read(key)
 *   return found !== undefined && store.replace({ key, value, labels: [], due: [] }, found.version)
 * }
 * await rename(createMemoryStore(), 'missing', '{}') // => false
 * ```
 */
export interface Store {
  /** Creates the record unless its key exists; false when it does. */
  create(record: NewRecord): Promise<boolean>
  read(key: string): Promise<StoredRecord | undefined>
  /** The existing records of these keys, each once, as they were at one moment; in no order. */
  readMany(keys: readonly string[]): Promise<readonly StoredRecord[]>
  /**
   * Replaces the record if its version is still `version`; false when it is not, or the record is
   * gone.
   */
  replace(record: NewRecord, version: number): Promise<boolean>
  /**
   * Replaces the records, of different keys, that still have their version. Either all of these are
   * stored or none. Resolves with the keys of the replaced records.
   */
  replaceMany(replacements: readonly Replacement[]): Promise<ReadonlySet<string>>
  /**
   * Changes the queues of the records, of different keys, that still have their version, and
   * nothing else, not even the version: the cheap way to put off the next look at a record. Either
   * all of these are stored or none. Resolves with the keys of the changed records.
   */
  reschedule(reschedulings: readonly Rescheduling[]): Promise<ReadonlySet<string>>
  /** Deletes the record if its version is still `version`. */
  remove(key: string, version: number): Promise<boolean>
  /**
   * Records due in the queue at `nowMs` or before, the longest due first, equal times by ascending
   * key.
   */
  listDue(queue: string, nowMs: number, limit: number): Promise<readonly StoredRecord[]>
  /** Records that bear the label, keys in descending order. */
  list(label: string, options: ListOptions): Promise<readonly StoredRecord[]>
  /**
   * Takes or extends a lease for `forMs` from now; false while another holder has it. The store
   * uses its own clock, never a caller's time: a server with a wrong clock must not hold a lease
   * that never ends. If that clock can be set, a lease from the future ends at the latest after
   * twice its duration.
   */
  lease(name: string, holder: string, forMs: number): Promise<boolean>
  /** Releases a lease; does nothing when another holds it. */
  release(name: string, holder: string): Promise<void>
  close(): Promise<void>
}
