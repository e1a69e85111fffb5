/** The fates of creation requests in a small world. For tests only. */
import type { Fault } from '../../sandbox/index.ts'

/** The fates of a creation request. */
export const fates = {
  answered: { kind: 'latency', beforeMs: 20, afterMs: 20 },
  'worked late': { kind: 'latency', beforeMs: 3_337, afterMs: 20 },
  'answered late': { kind: 'latency', beforeMs: 20, afterMs: 3_337 },
  'reset, not done': { kind: 'reset' },
  'reset, done': { kind: 'reset', workDone: true },
  '500, not done': { kind: 'status', status: 500 },
  '500, done': { kind: 'status', status: 500, workDone: true },
  html: { kind: 'html' },
  truncated: { kind: 'truncated' },
  empty: { kind: 'empty' },
  'hang, not done': { kind: 'hang' },
  'hang, done': { kind: 'hang', workDone: true },
  429: { kind: 'status', status: 429 },
  '503, not done': { kind: 'status', status: 503 },
  '503, done': { kind: 'status', status: 503, workDone: true },
  'body twice': { kind: 'duplicated' },
  'done twice, last answered': { kind: 'latency', beforeMs: 20, afterMs: 20 },
  'done twice, first answered': { kind: 'latency', beforeMs: 20, afterMs: 200 },
} as const satisfies Record<string, Fault>
/** The delay after which a request makes one more order, as when a proxy repeats it. */
export const moreAfterMs: Partial<Record<Fate, number>> = {
  'done twice, last answered': 0,
  'done twice, first answered': 120,
}

/** The name of a fate. */
export type Fate = keyof typeof fates
