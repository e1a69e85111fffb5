/** The command-line arguments of the chaos commands. */
import { parseArgs } from 'node:util'
import { type StoreKind, storeKinds } from '../stores/start-store.ts'

/** The arguments of `npm run chaos`. */
export interface ChaosArguments {
  readonly checkouts: number
  readonly seed: number
  /** The only segment to run; undefined for all of them. */
  readonly segment: number | undefined
  readonly jobs: number
  /** Kinds of faults to leave out. */
  readonly without: readonly string[]
  /** Undefined: in memory. */
  readonly store: StoreKind | undefined
  /** File that gets a line for everything that happens. */
  readonly log: string | undefined
}

/** Parses the arguments of `npm run chaos`. @throws RangeError that names a wrong argument. */
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
      store: { type: 'string', default: 'memory' },
    },
  })
  return {
    checkouts: wholeNumber('checkouts', values.checkouts),
    seed: wholeNumber('seed', values.seed),
    segment: values.segment === undefined ? undefined : wholeNumber('segment', values.segment),
    jobs: wholeNumber('jobs', values.jobs),
    without: values.without,
    log: values.log,
    store: values.store === 'memory' ? undefined : storeKind(values.store),
  }
}

/** Parses a whole number of 1 to 9 digits. @throws RangeError naming the argument. */
export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`--${name} must be a whole number, not ${JSON.stringify(text)}`)
  return Number(text)
}

/** Parses the name of a database. @throws RangeError with the names that there are. */
export function storeKind(text: string): StoreKind {
  const kind = storeKinds.find((each) => each === text)
  if (!kind) throw new RangeError(`--store must be one of ${storeKinds.join(', ')}, not ${JSON.stringify(text)}`)
  return kind
}
