/**
 * Keeps what belongs to one account of the service apart from what belongs to another: ids of orders, references and readings of one mean nothing in
 * the other. The first account of a store has it as it is. Each other one has records, lists, queues and leases of its own in it, under a prefix;
 * only checkouts, whose ids are unique, can be read from any.
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

/** A store as one account has it. */
export interface AccountStore {
  readonly store: Store
  /** Whether what an account has left is this one's. Earlier versions left no name: they had the first one. */
  isOwn(account: string | undefined): Promise<boolean>
}

/** A short name for an account of the service, the same in each process. Processes may reach one service by ports of their own, through tunnels. */
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

/** @param onOther - Called once where the store has another account's checkouts that nobody has followed to their end. */
export function storeOfAccount(store: Store, account: string, onOther: () => void): AccountStore {
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

  const prefix = `@${account} `
  const short = (name: string, max: number) => (name.length <= max ? name : `${prefix}${digest(name)}`)
  const keyOf = (key: string) => (shared.test(key) ? key : short(prefix + key, maxKey))
  const nameOf = (name: string) => short(prefix + name, maxName)
  const written = (record: NewRecord): NewRecord => ({
    ...record,
    key: keyOf(record.key),
    labels: record.labels.map(nameOf),
    due: record.due.map((due) => ({ ...due, queue: prefix + due.queue })),
  })
  const plainDue = <Record extends Pick<StoredRecord, 'due'>>(record: Record): Record => ({
    ...record,
    due: record.due.map((due) => ({
      ...due,
      queue: due.queue.startsWith(prefix) ? due.queue.slice(prefix.length) : due.queue,
    })),
  })
  const plainKeys = (keys: readonly string[]) => new Map(keys.map((key) => [keyOf(key), key]))
  const plain = (record: StoredRecord, keys: ReadonlyMap<string, string>): StoredRecord =>
    plainDue({ ...record, key: keys.get(record.key) ?? record.key })
  const none: ReadonlyMap<string, string> = new Map()

  const apart: Store = {
    create: (record) => store.create(written(record)),
    read: async (key) => {
      const found = await store.read(keyOf(key))
      return found && plain(found, plainKeys([key]))
    },
    readMany: async (keys) => {
      const names = plainKeys(keys)
      return (await store.readMany([...names.keys()])).map((record) => plain(record, names))
    },
    replace: (record, version) => store.replace(written(record), version),
    replaceMany: async (replacements) => {
      const names = plainKeys(replacements.map(({ record }) => record.key))
      const done = await store.replaceMany(replacements.map((each) => ({ ...each, record: written(each.record) })))
      return new Set([...done].map((key) => names.get(key) ?? key))
    },
    reschedule: async (reschedulings) => {
      const names = plainKeys(reschedulings.map(({ key }) => key))
      const done = await store.reschedule(
        reschedulings.map(({ key, due, version }) => ({ ...written({ key, due, value: '', labels: [] }), version })),
      )
      return new Set([...done].map((key) => names.get(key) ?? key))
    },
    remove: (key, version) => store.remove(keyOf(key), version),
    listDue: async (queue, nowMs, limit) =>
      (await store.listDue(prefix + queue, nowMs, limit)).map((record) => plain(record, none)),
    list: async (label, options) => (await store.list(nameOf(label), options)).map((record) => plain(record, none)),
    lease: (name, holder, forMs) => store.lease(nameOf(name), holder, forMs),
    release: (name, holder) => store.release(nameOf(name), holder),
    close: () => store.close(),
  }
  const its = async () => ((await knowsFirst()) ? store : apart)
  return {
    isOwn: async (left) => (left === undefined ? knowsFirst() : left === account),
    store: {
      create: async (record) => (await its()).create(record),
      read: async (key) => (await its()).read(key),
      readMany: async (keys) => (await its()).readMany(keys),
      replace: async (record, version) => (await its()).replace(record, version),
      replaceMany: async (replacements) => (await its()).replaceMany(replacements),
      reschedule: async (reschedulings) => (await its()).reschedule(reschedulings),
      remove: async (key, version) => (await its()).remove(key, version),
      listDue: async (queue, nowMs, limit) => (await its()).listDue(queue, nowMs, limit),
      list: async (label, options) => (await its()).list(label, options),
      lease: async (name, holder, forMs) => (await its()).lease(name, holder, forMs),
      release: async (name, holder) => (await its()).release(name, holder),
      close: () => store.close(),
    },
  }
}

function digest(text: string): string {
  return hex.encode(sha256(new TextEncoder().encode(text))).slice(0, 12)
}
