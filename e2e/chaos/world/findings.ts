/** What a run found: broken rules, faults, counts, and a hash of everything that happened. */
import { createHash } from 'node:crypto'

/** What must never happen. Each rule has a line in the report, and fails the run unless zero. */
export const rules = [
  'wrong digits',
  'damaged address',
  'wrongly bound',
  'bound, not claimed',
  'status of another order',
  'shown to strangers',
  'screen went back',
  'second payable',
  'old price',
  'quote after deposit',
  'shown late',
  'over too early',
  'deadline moved later',
  'stopped asking',
  'asked for what nobody follows',
  'lost',
  'created without cause',
  'older revision',
  'told as paid',
  'arrived otherwise',
  'one deposit for two',
  'paid at another price',
  'order for each price',
  'told of another account',
  'paid, not delivered',
  'delivered late',
  'delivered wrongly',
  'lapsed wrongly',
  'paid twice, unreported',
  'paid, known to nobody',
  'unresolved, unreported',
  'known, called unknown',
  'icon of another asset',
  'icons without bound',
  'secrets leaked',
  'forged log line',
  'over budget',
  'asked too often',
  'refused for another',
  'failure, unreported',
  'unexpected error',
] as const

/** Names of the rules. */
export type Rule = (typeof rules)[number]

interface Violation {
  readonly rule: Rule
  readonly atMs: number
  readonly what: string
}

/** The findings of a segment or a run, as plain data that a worker thread can send. */
export interface Report {
  readonly violations: readonly Violation[]
  readonly violationCounts: Readonly<Record<string, number>>
  readonly faults: Readonly<Record<string, number>>
  readonly counts: Readonly<Record<string, number>>
  /** All measured values, by name. */
  readonly samples: Readonly<Record<string, readonly number[]>>
  /** Equal for two runs in which the same things happened. */
  readonly hash: string
}

/** Records everything that a run finds. */
export interface Findings {
  violate(rule: Rule, what: string): void
  fault(kind: string): void
  count(name: string, by?: number): void
  /** Keeps a measured value. */
  sample(name: string, value: number): void
  /** Adds to the hash. */
  trace(...parts: readonly (string | number | null)[]): void
  report(): Report
}

const keptPerRule = 5

/** Creates empty findings. */
export function createFindings(nowMs: () => number, log: (line: string) => void = () => {}): Findings {
  const hash = createHash('sha256')
  const violations: Violation[] = []
  const violationCounts: Record<string, number> = {}
  const faults: Record<string, number> = {}
  const counts: Record<string, number> = {}
  const samples: Record<string, number[]> = {}
  const trace = (...parts: readonly (string | number | null)[]) => {
    const line = `${nowMs()} ${parts.join(' ')}`
    hash.update(line)
    hash.update('\n')
    log(line)
  }
  return {
    violate: (rule, what) => {
      const count = (violationCounts[rule] ?? 0) + 1
      violationCounts[rule] = count
      trace('VIOLATION', rule, what)
      if (count <= keptPerRule) violations.push({ rule, atMs: nowMs(), what })
    },
    fault: (kind) => {
      faults[kind] = (faults[kind] ?? 0) + 1
      trace('fault', kind)
    },
    count: (name, by = 1) => {
      counts[name] = (counts[name] ?? 0) + by
    },
    sample: (name, value) => {
      samples[name] = [...(samples[name] ?? []), value]
    },
    trace,
    report: () => ({ violations, violationCounts, faults, counts, samples, hash: hash.copy().digest('hex') }),
  }
}
