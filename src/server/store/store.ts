/**
 * What Paywindow needs of a database: create-if-absent, read, compare-and-set, delete, two kinds of
 * lists, leases. Small enough to be implemented correctly for every store; the rules that money
 * depends on are above it, in one place.
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
   * Will hardly be read again, so a store may keep it where it costs less. No method treats it in
   * another way. Default: false.
   */
  readonly isArchived?: boolean
}

/**
 * A record as it is read, with the queues that it waits in, in no order. `version` is 1 when
 * created and one more with each replacement.
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
 * The queues that a record waits in from now on, and the version that it has.
 *
 * @example
 * ```ts
 * const rescheduling: Rescheduling = { key: 'a', due: [{ queue: 'look', atMs: 60_000 }], version: 1 }
 * ```
 */
export interface Rescheduling extends Pick<StoredRecord, 'key' | 'due' | 'version'> {}

/**
 * Which part of a list.
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
 * Every method is atomic, and what it has resolved is durable. After a rejection it is unknown
 * whether the change was made: the caller reads again. Texts are well-formed and have no U+0000:
 * keys and names of queues of up to 205 UTF-16 units, labels and names of leases of up to 500,
 * values of a million. Keys sort by their code points; in what order those beyond U+FFFF come does
 * not matter. `paywindow/testing` checks a store against all of this.
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
  /**
   * The records of these keys that exist, each once however often its key is named, as they were at
   * one moment; in no order.
   */
  readMany(keys: readonly string[]): Promise<readonly StoredRecord[]>
  /** Replaces the record if its version is still `version`; false when it is not, or it is gone. */
  replace(record: NewRecord, version: number): Promise<boolean>
  /**
   * Replaces each of the records, of different keys, whose version is still the one named. Either
   * all of those are stored or none. Resolves with the keys of those that were replaced.
   */
  replaceMany(replacements: readonly Replacement[]): Promise<ReadonlySet<string>>
  /**
   * Changes the queues of each of the records, of different keys, whose version is still the one
   * named. Nothing else of them changes, not even the version: most writes only put off when a
   * record is looked at again, and this is the cheap way. Either all of those are stored or none.
   * Resolves with the keys of those that were changed.
   */
  reschedule(reschedulings: readonly Rescheduling[]): Promise<ReadonlySet<string>>
  /** Deletes the record if its version is still `version`. */
  remove(key: string, version: number): Promise<boolean>
  /**
   * Records due in the queue at `nowMs` or before, the longest due first; of those due at once, the
   * lower key first.
   */
  listDue(queue: string, nowMs: number, limit: number): Promise<readonly StoredRecord[]>
  /** Records that bear the label, keys in descending order. */
  list(label: string, options: ListOptions): Promise<readonly StoredRecord[]>
  /**
   * Takes or extends a lease for `forMs` from now; false while another holder's has not run out.
   * The store judges by its own clock, never by a time that a caller names: a server with a wrong
   * clock must not hold a lease that never ends. Where that clock can be set, a lease that seems to
   * come from the future ends at the latest after twice its duration.
   */
  lease(name: string, holder: string, forMs: number): Promise<boolean>
  /** Releases a lease; does nothing when another holds it. */
  release(name: string, holder: string): Promise<void>
  close(): Promise<void>
}
