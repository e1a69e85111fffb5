/** How the Redis store writes records, lists and times as texts, and reads them again. */
import type { Due, NewRecord, StoredRecord } from './store.ts'

/** Times begin here, so that none of them is negative: texts of one length sort as their numbers do. */
const beginning = 2n ** 53n

/** The values of a change, in the order in which the script takes them. `version` is 'none' for a record that is created. */
export function writeValues({ key, value, labels, due }: NewRecord, version: number | 'none'): string[] {
  if (!value.isWellFormed()) throw unfit('A value')
  return [nameText(key), String(version), value, labels.map((label) => `${nameText(label)}\0`).join(''), dueText(due)]
}

/** The queues of a record. */
export function dueText(due: readonly Due[]): string {
  return due.map(({ queue, atMs }) => `${nameText(queue)}\0${timeText(atMs)}\0`).join('')
}

/** A key, a label, or a name of a queue. @throws TypeError when it cannot be one: in the lists, NUL is what ends a text. */
export function nameText(name: string): string {
  if (!name.isWellFormed() || name.includes('\0')) throw unfit('A key or name')
  return name
}

/** The part of the queues with what is due in one of them: the first member, and the last. */
export function dueRange(queue: string, nowMs: number): [first: string, last: string] {
  const latestMs = Math.min(Math.floor(nowMs), Number.MAX_SAFE_INTEGER)
  return [`[${nameText(queue)}\0`, `(${queue}\0${timeText(latestMs)}\x01`]
}

/** The part of the lists that is one of them, up to the key `before`: the last member, and the first. */
export function labelRange(label: string, before?: string): [last: string, first: string] {
  return [`(${nameText(label)}${before === undefined ? '\x01' : `\0${nameText(before)}`}`, `[${label}\0`]
}

/** Records as the script returns them: of each the key, its version with the value, and its queues. */
export function readRecords(texts: readonly string[]): StoredRecord[] {
  const records: StoredRecord[] = []
  for (let at = 0; at < texts.length; at += 3) {
    const [key = '', stored = '', due = ''] = texts.slice(at, at + 3)
    const end = stored.indexOf(' ')
    records.push({ key, value: stored.slice(end + 1), version: Number(stored.slice(0, end)), due: readDue(due) })
  }
  return records
}

function readDue(text: string): Due[] {
  const parts = text.split('\0')
  const due: Due[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [queue = '', time = ''] = parts.slice(at, at + 2)
    due.push({ queue, atMs: Number(BigInt(time) - beginning) })
  }
  return due
}

function timeText(atMs: number): string {
  if (!Number.isSafeInteger(atMs)) throw new TypeError(`A time is ${atMs}, and has to be whole milliseconds`)
  return String(BigInt(atMs) + beginning).padStart(17, '0')
}

function unfit(what: string): TypeError {
  return new TypeError(`${what} has a character that the store cannot keep`)
}
