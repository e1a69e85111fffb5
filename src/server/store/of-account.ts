/**
 * Keeps accounts of the service apart that share a store: the order ids, references and readings of
 * one account mean nothing to another. The first account of a store uses it as it is. Each other
 * account has its own records, lists, queues and leases, under a prefix. Only checkouts have no
 * prefix, because their ids are unique.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import type { NewRecord, Store, StoredRecord } from './store.ts'

/** The record that names the first account. */
export const firstAccountKey = 'account'
/** Longest keys and names that a store takes. */
const maxKey = 205
const maxName = 500
const shared = /^checkout /

/**
 * A short name for an account of the service, the same in each process. Processes may reach one
 * service by ports of their own, through tunnels.
 */
export function accountName({
  baseUrl,
  subAccountId,
}: {
  readonly baseUrl: string
  readonly subAccountId: string
}): string {
  const { hostname, pathname } = new URL(baseUrl)
  return digest(`${hostname}${pathname.replace(/\/+$/, '')} ${subAccountId.toLowerCase()}`)
}

/**
 * A store as one account has it. `isOwn` tells whether a record with this name of an account is this
 * account's. Earlier versions wrote no name: such records are the first account's.
 *
 * @param onOther - Called once where the store has another account's checkouts that nobody has
 *   followed to their end.
 */
export function storeOfAccount(store: Store, account: string, onOther: () => void) {
  let isFirst: Promise<boolean> | undefined

  async function ask(): Promise<boolean> {
    const record = { key: firstAccountKey, value: JSON.stringify({ v: 1, account }), due: [], labels: [] }
    const found = await store.read(firstAccountKey)
    if (!found && (await store.create(record))) return true
    const first = found ?? (await store.read(firstAccountKey))
    if (first?.value === record.value) return true
    const open = await Promise.all(
      ['look fresh', 'look', 'look old'].map((queue) => store.listDue(queue, Number.MAX_SAFE_INTEGER, 1)),
    )
    if (open.some((records) => records.length > 0)) onOther()
    return false
  }

  /** Asked until it is known; a failure is the caller's. */
  function knowsFirst(): Promise<boolean> {
    isFirst ??= ask().catch((error: unknown) => {
      isFirst = undefined
      throw error
    })
    return isFirst
  }

  const names = async () => ((await knowsFirst()) ? plain : prefixed(`@${account} `))
  const isOwn = async (name: string | undefined) => (name === undefined ? knowsFirst() : name === account)
  const own: Store = {
    create: async (record) => store.create((await names()).written(record)),
    read: async (key) => {
      const { keyOf, read } = await names()
      const found = await store.read(keyOf(key))
      return found && read(found, key)
    },
    readMany: async (keys) => {
      const { keyOf, read } = await names()
      const asked = new Map(keys.map((key) => [keyOf(key), key]))
      return (await store.readMany([...asked.keys()])).map((record) => read(record, asked.get(record.key)))
    },
    replace: async (record, version) => store.replace((await names()).written(record), version),
    replaceMany: async (replacements) => {
      const { keyOf, written } = await names()
      const done = await store.replaceMany(
        replacements.map(({ record, version }) => ({ record: written(record), version })),
      )
      return new Set(replacements.map(({ record }) => record.key).filter((key) => done.has(keyOf(key))))
    },
    reschedule: async (reschedulings) => {
      const { keyOf, queueOf } = await names()
      const done = await store.reschedule(
        reschedulings.map(({ key, due, version }) => ({
          key: keyOf(key),
          due: due.map(({ queue, atMs }) => ({ queue: queueOf(queue), atMs })),
          version,
        })),
      )
      return new Set(reschedulings.map(({ key }) => key).filter((key) => done.has(keyOf(key))))
    },
    remove: async (key, version) => store.remove((await names()).keyOf(key), version),
    listDue: async (queue, nowMs, limit) => {
      const { queueOf, read } = await names()
      return (await store.listDue(queueOf(queue), nowMs, limit)).map((record) => read(record))
    },
    list: async (label, options) => {
      const { nameOf, read } = await names()
      return (await store.list(nameOf(label), options)).map((record) => read(record))
    },
    lease: async (name, holder, forMs) => store.lease((await names()).nameOf(name), holder, forMs),
    release: async (name, holder) => store.release((await names()).nameOf(name), holder),
    close: () => store.close(),
  }
  return { store: own, isOwn }
}

/** How an account names what it has in the store. */
interface Names {
  keyOf(key: string): string
  /** Of labels and leases. */
  nameOf(name: string): string
  queueOf(queue: string): string
  written(record: NewRecord): NewRecord
  /** A record as it was written, under the key that it was asked for by. */
  read(record: StoredRecord, key?: string): StoredRecord
}

const same = (name: string) => name
const plain: Names = {
  keyOf: same,
  nameOf: same,
  queueOf: same,
  written: (record) => record,
  read: (record) => record,
}

function prefixed(prefix: string): Names {
  const short = (name: string, max: number) => (name.length <= max ? name : `${prefix}${digest(name)}`)
  const keyOf = (key: string) => (shared.test(key) ? key : short(prefix + key, maxKey))
  const nameOf = (name: string) => short(prefix + name, maxName)
  const queueOf = (queue: string) => prefix + queue
  const plainQueue = (queue: string) => (queue.startsWith(prefix) ? queue.slice(prefix.length) : queue)
  return {
    keyOf,
    nameOf,
    queueOf,
    written: (record) => ({
      ...record,
      key: keyOf(record.key),
      labels: record.labels.map(nameOf),
      due: record.due.map(({ queue, atMs }) => ({ queue: queueOf(queue), atMs })),
    }),
    read: (record, key = record.key) => ({
      ...record,
      key,
      due: record.due.map(({ queue, atMs }) => ({ queue: plainQueue(queue), atMs })),
    }),
  }
}

function digest(text: string): string {
  return hex.encode(sha256(new TextEncoder().encode(text))).slice(0, 12)
}
