/** @jsxImportSource preact */
/** How the server is, in words. */
import type { VNode } from 'preact'
import type { Health } from '../../server/health/health.ts'
import { type Around, Page, Time } from './layout.tsx'
import type { Tone } from './words.ts'

/** Longer than a pause that a service asks for. */
const refusingMs = 120_000
const lateMs = 600_000
/** Counts stop there. */
const mostCounted = 100

interface Row {
  readonly what: string
  readonly is: string
  readonly tone: Tone
  readonly words: string
  readonly at?: string | null
}

/** The page of the server's health. */
export function HealthPage({
  health,
  nowMs,
  ...around
}: Around & { readonly health: Health; readonly nowMs: number }): VNode {
  return (
    <Page {...around} title="Health" at="health">
      <h1>Health</h1>
      <section class="card list">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">State</th>
              <th scope="col">What it means</th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(health, nowMs).map(({ what, is, tone, words, at }) => (
              <tr key={what}>
                <td>
                  <b>{what}</b>
                </td>
                <td>
                  <span class="badge" data-tone={tone}>
                    {is}
                  </span>
                </td>
                <td>
                  {words}
                  {at ? (
                    <>
                      {' '}
                      <Time at={at} />
                    </>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="soft small">Times are of UTC.</p>
    </Page>
  )
}

function rowsOf({ isReady, isWatched, service, backlog }: Health, nowMs: number): readonly Row[] {
  const rows: Row[] = [
    isReady
      ? { what: 'Records', is: 'Good', tone: 'good', words: 'Payments can be read and written.' }
      : {
          what: 'Records',
          is: 'Bad',
          tone: 'bad',
          words: 'The store does not answer: nobody can pay. Tell who runs this server.',
        },
    isWatched
      ? { what: 'Following', is: 'Good', tone: 'good', words: 'Payments are looked after.' }
      : {
          what: 'Following',
          is: 'Not now',
          tone: 'warn',
          words: 'No process looks after payments. After two minutes, tell who runs this server.',
        },
    serviceRow(service, nowMs),
  ]
  if (backlog) rows.push(...backlogRows(backlog))
  return rows
}

function serviceRow({ refusingSince, answeredAt }: Health['service'], nowMs: number): Row {
  const what = 'Exchange service'
  if (refusingSince === null)
    return answeredAt === null
      ? { what, is: 'Not asked yet', tone: 'calm', words: 'This server has asked it nothing since it started.' }
      : { what, is: 'Good', tone: 'good', words: 'It last answered on', at: answeredAt }
  const isLong = nowMs - Date.parse(refusingSince) > refusingMs
  return {
    what,
    is: isLong ? 'Bad' : 'Pausing',
    tone: isLong ? 'bad' : 'warn',
    words: isLong ? 'New payments cannot begin. It has refused since' : 'It asks for a pause, since',
    at: refusingSince,
  }
}

function backlogRows({
  open,
  unresolved,
  untold,
  oldestUndeliveredMs,
}: NonNullable<Health['backlog']>): readonly Row[] {
  const count = (number: number) => (number >= mostCounted ? `${mostCounted} or more` : `${number}`)
  const isStuck = untold > 0 && (oldestUndeliveredMs === null || oldestUndeliveredMs > lateMs)
  return [
    {
      what: 'Open payments',
      is: count(open),
      tone: 'calm',
      words: 'Begun or changed within half an hour, without an outcome.',
    },
    {
      what: 'Orders not known',
      is: count(unresolved),
      tone: unresolved > 0 ? 'info' : 'good',
      words: 'Normal for some seconds. Those that stay are in the list of what waits for you.',
    },
    {
      what: 'Events to your shop',
      is: count(untold),
      tone: isStuck ? 'bad' : untold > 0 ? 'info' : 'good',
      words: isStuck
        ? 'Your shop has not taken events for more than ten minutes: check that its address for events answers.'
        : 'Events that are on their way to your shop.',
    },
  ]
}
