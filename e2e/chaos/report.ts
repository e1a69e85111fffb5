/** The printed report of a run. */
import { createHash } from 'node:crypto'
import { faultKinds } from './world/faults.ts'
import { type Report, rules } from './world/findings.ts'

/** Of the checkouts of a long run at most this share may stay unresolved. */
const maxUnresolvedShare = 0.005
/** A shorter run may have drawn many equal carts by chance. */
const longRun = 5_000

/** Formats a report as a table. @param wallMs - How long the run took, in real time. */
export function tableOf(report: Report, wallMs: number): string {
  const { counts, faults, violationCounts } = report
  const count = (name: string) => counts[name] ?? 0
  const injected = faultKinds.reduce((sum, kind) => sum + (faults[kind] ?? 0), 0)
  return [
    title('run'),
    row('checkouts shown to a browser', count('checkouts shown to a browser')),
    row('tabs and devices', count('tabs')),
    row('browsers without scripts', count('browsers without scripts')),
    row('  pages drawn for them', count('pages drawn')),
    row('  payments by what a page showed', count('paid without scripts')),
    row('payment links', count('payment links made')),
    row('answers to browsers', sumOf(counts, /^answers \d/)),
    row('icons fetched from their host', count('icons fetched')),
    row('virtual time, days', Math.round(count('virtual ms') / 86_400_000)),
    row('wall time, seconds', Math.round(wallMs / 1000)),
    title(`faults injected: ${group(injected)}`),
    ...faultKinds.map((kind) => row(kind, faults[kind] ?? 0)),
    title('orders'),
    row('upstream orders created', count('orders created')),
    row('  shown to a payer', count('checkouts with instructions')),
    row('  whose answer was lost', count('orders whose answer was lost')),
    row('  created twice by clocks that are apart', count('created twice by clocks apart')),
    row('  created twice after a server stood still', count('created twice after a pause')),
    row('quotes returned late because clocks differed', count('shown late by clocks apart')),
    row('old checkouts in the store', count('old checkouts')),
    row('  that were paid while nobody looked', count('old checkouts that were paid')),
    row('orders paid', count('orders paid')),
    row('events delivered to the merchant', count('events delivered')),
    row('  delivered again with the same id', count('events delivered again')),
    row('carts told as lapsed', count('carts lapsed')),
    row('orders confirmed days after a cancellation', count('confirmed days after they were canceled')),
    row('checkouts that a restore forgot', count('checkouts that a restore forgot')),
    row('carts paid twice, all reported', count('carts paid twice')),
    ...named(counts, /^bound by /),
    row('bindings undone', count('bindings undone')),
    row('median ms from answer to binding', median(report.samples['answer to binding'])),
    row('median ms until it is certain', median(report.samples['answer to certain binding'])),
    row('unresolved at the end', count('unresolved')),
    row('  of 10,000 shown to a browser', Math.round(unresolvedShare(report) * 10_000)),
    ...named(counts, /^unresolved: /, '  '),
    title('what must be zero'),
    ...rules.map((rule) => row(rule, violationCounts[rule] ?? 0)),
  ].join('\n')
}

/** Whether no rule was broken, and a long run left no more than 0.5 % unresolved. */
export function isClean(report: Report): boolean {
  const isLong = (report.counts['checkouts shown to a browser'] ?? 0) >= longRun
  const isResolved = !isLong || unresolvedShare(report) <= maxUnresolvedShare
  return isResolved && rules.every((rule) => (report.violationCounts[rule] ?? 0) === 0)
}

function unresolvedShare({ counts }: Report): number {
  return (counts.unresolved ?? 0) / Math.max(1, counts['checkouts shown to a browser'] ?? 0)
}

function median(values: readonly number[] = []): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function named(counts: Readonly<Record<string, number>>, pattern: RegExp, indent = ''): string[] {
  return Object.keys(counts)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => row(indent + name, counts[name] ?? 0))
}

function sumOf(counts: Readonly<Record<string, number>>, pattern: RegExp): number {
  return Object.entries(counts).reduce((sum, [name, count]) => sum + (pattern.test(name) ? count : 0), 0)
}

function title(text: string): string {
  return `\n${text}\n${'-'.repeat(58)}`
}

function row(name: string, count: number): string {
  return `${name.padEnd(46)}${group(count).padStart(12)}`
}

function group(count: number): string {
  return count.toLocaleString('en-US')
}

/** Adds up reports. The result's hash is the hash of their hashes, in the order given. */
export function mergeReports(reports: readonly Report[]): Report {
  const hash = createHash('sha256')
  for (const report of reports) hash.update(report.hash)
  return {
    violations: reports.flatMap(({ violations }) => violations),
    violationCounts: sum(reports.map(({ violationCounts }) => violationCounts)),
    faults: sum(reports.map(({ faults }) => faults)),
    counts: sum(reports.map(({ counts }) => counts)),
    samples: Object.fromEntries(
      [...new Set(reports.flatMap(({ samples }) => Object.keys(samples)))].map((name) => [
        name,
        reports.flatMap(({ samples }) => samples[name] ?? []),
      ]),
    ),
    hash: hash.digest('hex'),
  }
}

function sum(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const record of records)
    for (const [name, count] of Object.entries(record)) total[name] = (total[name] ?? 0) + count
  return total
}
