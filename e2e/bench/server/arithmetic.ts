/** What a million checkouts a day would take of one process, from what was measured. */
import { table } from '../report.ts'

/** The figures that the arithmetic is made of. */
export interface Measured {
  /** Polls that one process can answer. */
  pollsPerSecond: number
  /** Store calls of a creation, in the worst case. */
  callsEach: number
  /** KiB of a checkout on disk. */
  kibEach: number
}

/** Payers look at their checkout for five minutes on average, and poll every five seconds. */
export function millionADay({ pollsPerSecond, callsEach, kibEach }: Measured): string {
  const perSecond = 1_000_000 / 86_400
  const polls = (perSecond * 5 * 60) / 5
  const pages = (perSecond * 31 * 60) / 100
  const rows = [
    ['creations a second', perSecond.toFixed(1), '20 were created above'],
    ['polls a second', polls.toFixed(0), `one process answers ${pollsPerSecond.toFixed(0)}`],
    ['store calls a second', (perSecond * callsEach + polls).toFixed(0), 'one a poll, as above'],
    [
      'pages of a reading of 31 minutes',
      pages.toFixed(0),
      `${(pages / 40).toFixed(0)} s, with 40 of 50 requests a second`,
    ],
    ['disk a day', `${((kibEach * 1_000_000) / 1024 ** 2).toFixed(1)} GiB`, 'nothing is archived yet'],
    ['records of the hourly sweep', '7,000,000', 'the checkouts of seven days'],
  ]
  return `${table(['', 'needed', 'beside it'], rows)}

An average day fits into one process; ten times that in a rush does not. What breaks first is the file: it keeps paid checkouts for
good and unpaid ones for 90 days, and the sweep goes over those of the last seven days every hour.`
}
