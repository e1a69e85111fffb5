/** @jsxImportSource preact */
/** The list of payments. */
import type { VNode } from 'preact'
import type { MerchantCheckout } from '../../server/views/merchant-view.ts'
import { type Circumstances, type Kind, kinds, kindsOf, paidAt } from '../search.ts'
import { type Around, Page, type Said, Time } from './layout.tsx'
import { amountText, receivedText, stateOf } from './words.ts'

/** What the form of the list has sent, as it was typed. */
export interface Asked {
  readonly only: Kind | ''
  readonly search: string
  readonly from: string
  readonly to: string
}

interface ListPage extends Around {
  readonly asked: Asked
  /** Payments that wait for a person; undefined where other ones were asked for. */
  readonly waiting: readonly MerchantCheckout[] | undefined
  /** Query of what waits further back. */
  readonly moreWaiting: string | undefined
  readonly found: readonly MerchantCheckout[]
  /** Queries of the next part, and of the file; undefined where there is none. */
  readonly next: string | undefined
  readonly query: string
  readonly circumstances: Circumstances
  readonly said?: Said | undefined
}

/** The first page of the desk. */
export function ListPage({
  asked,
  waiting,
  moreWaiting,
  found,
  next,
  query,
  circumstances,
  said,
  ...around
}: ListPage): VNode {
  const { base } = around
  const isAsked = Object.values(asked).some((value) => value !== '')
  return (
    <Page {...around} title="Payments" at="payments" said={said}>
      <div class="head">
        <h1>Payments</h1>
        <a href={`${base}/payments.csv${query}`} download>
          Download as CSV
        </a>
      </div>
      <search>
        <form class="filter" action={base}>
          <label class="wide">
            Search
            <input
              type="search"
              name="search"
              value={asked.search}
              maxLength={200}
              placeholder="Order, amount, address…"
            />
          </label>
          <label class="wide">
            Show
            <select name="only" value={asked.only}>
              <option value="">All payments</option>
              {Object.entries(kinds).map(([kind, words]) => (
                <option key={kind} value={kind} selected={kind === asked.only}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <label>
            From
            <input type="date" name="from" value={asked.from} />
          </label>
          <label>
            To
            <input type="date" name="to" value={asked.to} />
          </label>
          <button type="submit" class="wide">
            Show
          </button>
        </form>
      </search>
      {waiting === undefined ? null : waiting.length > 0 ? (
        <Payments title="Waits for you" payments={waiting} {...{ base, circumstances }} />
      ) : (
        <p class="soft">Nothing waits for you.</p>
      )}
      {moreWaiting === undefined ? null : <a href={`${base}${moreWaiting}`}>Look for more that waits</a>}
      {found.length > 0 ? (
        <Payments title={isAsked ? 'Found' : 'Newest'} payments={found} {...{ base, circumstances }} />
      ) : (
        <p class="card empty">{isAsked ? 'Nothing was found.' : 'There are no payments yet.'}</p>
      )}
      <div class="more">
        {next === undefined ? null : (
          <a class="button quiet" href={`${base}${next}`}>
            Look further back
          </a>
        )}
        {isAsked ? (
          <a class="button quiet" href={base}>
            Show all
          </a>
        ) : null}
      </div>
      <p class="soft small">
        Times and days are of UTC. A day counts when a payment was paid or, while it is not, begun.
      </p>
    </Page>
  )
}

interface Payments {
  readonly title: string
  readonly payments: readonly MerchantCheckout[]
  readonly base: string
  readonly circumstances: Circumstances
}

/** A row for each order. */
function Payments({ title, payments, base, circumstances }: Payments): VNode {
  const orders = Map.groupBy(payments, ({ reference }) => reference)
  return (
    <section class="card list">
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">State</th>
            <th scope="col" class="right">
              Price
            </th>
            <th scope="col" class="right">
              Received
            </th>
            <th scope="col">Paid or begun</th>
          </tr>
        </thead>
        <tbody>
          {[...orders.values()].map((quotes) => {
            const payment = mostTelling(quotes)
            const { words, tone } = stateOf(payment, kindsOf(payment, circumstances), circumstances.nowMs)
            return (
              <tr key={payment.id}>
                <td>
                  <a href={`${base}/payments/${payment.id}`}>{payment.orderNumber ?? payment.reference}</a>
                </td>
                <td>
                  <span class="badge" data-tone={tone}>
                    {words}
                  </span>
                </td>
                <td class="right num" data-label="Price">
                  {amountText(payment.price)}
                </td>
                <td class="right num" data-label="Received">
                  {receivedText(payment)}
                </td>
                <td data-label={paidAt(payment) ? 'Paid' : 'Begun'}>
                  <Time at={paidAt(payment) ?? payment.createdAt} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

const byPhase: Readonly<Record<MerchantCheckout['phase'], number>> = {
  paid: 3,
  paid_more: 3,
  paid_less: 3,
  seen: 2,
  waiting: 1,
  ended: 0,
}

/** Of several quotes the one that was paid, else the newest. */
function mostTelling(quotes: readonly MerchantCheckout[]): MerchantCheckout {
  return quotes.reduce((best, each) => (byPhase[each.phase] > byPhase[best.phase] ? each : best))
}
