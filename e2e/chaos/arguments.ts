/** What the commands are called with. */
import { parseArgs } from 'node:util'

/** What `npm run chaos` is called with. */
export interface ChaosArguments {
  readonly checkouts: number
  readonly seed: number
  /** Only this one of the run's segments. */
  readonly segment: number | undefined
  readonly jobs: number
  /** Kinds of faults to leave out. */
  readonly without: readonly string[]
  /** File for a line about everything that happens. */
  readonly log: string | undefined
}

/** @throws RangeError naming the argument that is no whole number. */
export function readArguments(args: readonly string[], cores: number): ChaosArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      checkouts: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      segment: { type: 'string' },
      jobs: { type: 'string', default: String(Math.min(cores, 4)) },
      without: { type: 'string', multiple: true, default: [] },
      log: { type: 'string' },
    },
  })
  return {
    checkouts: wholeNumber('checkouts', values.checkouts),
    seed: wholeNumber('seed', values.seed),
    segment: values.segment === undefined ? undefined : wholeNumber('segment', values.segment),
    jobs: wholeNumber('jobs', values.jobs),
    without: values.without,
    log: values.log,
  }
}

/** @throws RangeError naming the argument. */
export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`--${name} must be a whole number, not ${JSON.stringify(text)}`)
  return Number(text)
}
