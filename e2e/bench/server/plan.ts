/** Sizes and times: for figures that count, and for a quick run that shows that the bench works. */
import { whyMissing } from '../../stores/start-store.ts'
import { type ShopSetup, usual } from './shop.ts'

/** A row of the polls. */
export interface PollCase {
  readonly name: string
  readonly setup: ShopSetup
  readonly orders: number
  readonly browsers: number
  readonly isWatched: boolean
  readonly creationsPerSecond: number
  readonly seconds: number
}

/** The sizes of all parts. Times in seconds. */
export interface Plan {
  /** Numbers that are too small to judge the server by. */
  readonly isQuick: boolean
  /** Rows of polls and creations without this in their name are left out. */
  readonly row: string
  readonly open: number
  readonly polls: {
    readonly many: number
    readonly few: number
    readonly seconds: number
    /** Of the rows without limits. */
    readonly addedSeconds: number
    readonly warmUpSeconds: number
    /** Between two polls of a browser. */
    readonly everyMs: number
    /** How long browsers go on afterwards, until each payment was shown. */
    readonly shownWithinSeconds: number
  }
  readonly told: {
    readonly paid: number
    readonly phases: number
    readonly settleSeconds: number
    /** Payments come at random within so long, which is longer than a reading of the list takes. */
    readonly phaseSeconds: { readonly unlimited: number; readonly limited: number }
    readonly withinSeconds: number
  }
  readonly creations: {
    readonly perSecond: number
    readonly seconds: number
    readonly settleSeconds: number
    readonly idleSeconds: number
    readonly boundWithinSeconds: number
    /** The same where there is no proof, and no limit either. */
    readonly unprovedSeconds: number
  }
  readonly finished: { readonly count: number; readonly watchSeconds: number; readonly pages: number }
  readonly archived: number
  /** Polls and creations on each store, by one server and by two. */
  readonly stores: { readonly pollSeconds: number; readonly creationSeconds: number }
  /** Asked for on 16 connections. */
  readonly links: number
  readonly events: {
    readonly paid: number
    /** Payments come evenly within so long, and in another row at once. */
    readonly spreadSeconds: number
    readonly withinSeconds: number
    /** Repetitions are waited for after the last event. */
    readonly afterwardsSeconds: number
  }
  readonly most: { readonly warmUpSeconds: number; readonly seconds: number }
}

/** The sizes that the limits are for. */
export const full: Plan = {
  isQuick: false,
  row: '',
  open: 10_000,
  polls: {
    many: 20_000,
    few: 5_000,
    seconds: 60,
    addedSeconds: 20,
    warmUpSeconds: 10,
    everyMs: 5_000,
    shownWithinSeconds: 90,
  },
  told: { paid: 1_000, phases: 3, settleSeconds: 15, phaseSeconds: { unlimited: 10, limited: 25 }, withinSeconds: 120 },
  creations: {
    perSecond: 20,
    seconds: 60,
    settleSeconds: 10,
    idleSeconds: 15,
    boundWithinSeconds: 90,
    unprovedSeconds: 20,
  },
  // The second round of archiving begins after a minute, so this has one.
  finished: { count: 100_000, watchSeconds: 50, pages: 20_000 },
  archived: 20_000,
  stores: { pollSeconds: 30, creationSeconds: 20 },
  links: 10_000,
  events: { paid: 3_000, spreadSeconds: 60, withinSeconds: 120, afterwardsSeconds: 10 },
  most: { warmUpSeconds: 2, seconds: 5 },
}

/** Every part, in a few seconds each. */
export const quick: Plan = {
  isQuick: true,
  row: '',
  open: 300,
  polls: { many: 400, few: 200, seconds: 2, addedSeconds: 1, warmUpSeconds: 1, everyMs: 1_000, shownWithinSeconds: 20 },
  told: { paid: 30, phases: 1, settleSeconds: 1, phaseSeconds: { unlimited: 1, limited: 1 }, withinSeconds: 20 },
  creations: {
    perSecond: 5,
    seconds: 2,
    settleSeconds: 1,
    idleSeconds: 1,
    boundWithinSeconds: 15,
    unprovedSeconds: 1,
  },
  finished: { count: 2_000, watchSeconds: 3, pages: 1_000 },
  archived: 500,
  stores: { pollSeconds: 2, creationSeconds: 2 },
  links: 200,
  events: { paid: 60, spreadSeconds: 2, withinSeconds: 30, afterwardsSeconds: 1 },
  most: { warmUpSeconds: 0.2, seconds: 0.5 },
}

/** The limit of a service that answers few requests. */
export const fewPerSecond = 5

/** The names of the rows that limits are set for. */
export const judgedPolls = {
  usual: '50 ms, watched',
  slow: '300 ms, twice the orders, watched',
  postgres: 'Postgres, 50 ms, three quarters of the orders, watched',
} as const

/** The rows of the polls that this machine can measure: not each has a Postgres. */
export function measuredPolls(plan: Plan): readonly PollCase[] {
  const why = whyMissing('postgres')
  if (why !== undefined) console.error(`NOT MEASURED: ${judgedPolls.postgres}. ${why}`)
  return pollCases(plan).filter(({ setup }) => why === undefined || setup.store !== 'postgres')
}

/** All rows of the polls. Those of `judgedPolls` have limits. */
export function pollCases({
  open,
  polls: { many, few, seconds, addedSeconds },
}: Plan): readonly [PollCase, ...PollCase[]] {
  const common = { setup: usual, orders: open, browsers: open, isWatched: true, creationsPerSecond: 8 }
  const limited = { ...usual, perSecond: fewPerSecond, requestsPerSecond: fewPerSecond }
  return [
    { ...common, name: judgedPolls.usual, seconds },
    { ...common, name: judgedPolls.slow, setup: { ...usual, latencyMs: 300 }, orders: many, seconds },
    {
      ...common,
      name: judgedPolls.postgres,
      setup: { ...usual, store: 'postgres' },
      orders: 0.75 * open,
      browsers: 0.75 * open,
      seconds,
    },
    { ...common, name: '0 ms, watched', setup: { ...usual, latencyMs: 0 }, seconds: addedSeconds },
    { ...common, name: '50 ms, half the orders, watched', orders: few, browsers: few, seconds: addedSeconds },
    { ...common, name: '50 ms, not watched', isWatched: false, seconds: addedSeconds },
    {
      ...common,
      name: '50 ms, watched, Node without an option',
      setup: { ...usual, nodeOptions: [] },
      seconds: addedSeconds,
    },
    {
      ...common,
      name: `50 ms, ${fewPerSecond} requests a second, watched`,
      setup: limited,
      // More would use up all that the service answers.
      creationsPerSecond: 1,
      seconds: addedSeconds,
    },
  ]
}
