/** @jsxImportSource preact */
/** The whole story of an order: its quotes, what came, and what the shop was told. */
import type { ComponentChildren, VNode } from 'preact'
import type { MerchantCheckout } from '../../server/views/merchant-view.ts'
import { knownOf, knownOfOrder } from '../dealt.ts'
import { type Circumstances, kindsOf, paidAt, waits } from '../search.ts'
import type { Told } from '../told.ts'
import { Act, type Around, Page, type Said, Time } from './layout.tsx'
import { type Advice, adviceOn, amountText, changeText, receivedText, refund, stateOf, type Tone } from './words.ts'

/** An order that contradicts the payment which it was named for. */
export interface Contradiction {
  readonly id: string
  readonly orderId: string
  readonly why: string
}

interface PaymentPage extends Around {
  readonly token: string
  /** The one that was asked for. */
  readonly payment: MerchantCheckout
  /** All of its order, newest first. */
  readonly quotes: readonly MerchantCheckout[]
  readonly told: readonly Told[]
  /** Whether the shop is told of payments. */
  readonly hasEvents: boolean
  readonly circumstances: Circumstances
  readonly contradiction?: Contradiction | undefined
  readonly said?: Said | undefined
}

/** The page of one payment. */
export function PaymentPage(page: PaymentPage): VNode {
  const { payment, quotes, told, hasEvents, circumstances, contradiction, said, ...around } = page
  const kinds = kindsOf(payment, circumstances)
  const { words, tone } = stateOf(payment, kinds, circumstances.nowMs)
  const isWaiting = quotes.some((quote) => waits(quote, circumstances))
  const dealtAt = quotes.map((quote) => circumstances.dealt.get(knownOf(quote))).find((at) => at !== undefined)
  const advice = dealtAt === undefined || isWaiting ? adviceOn(payment, kinds) : []
  const name = payment.orderNumber ?? payment.reference
  const paid = quotes.filter((quote) => paidAt(quote) !== null)
  return (
    <Page {...around} title={name} at="payments" said={said}>
      <a href={around.base}>← All payments</a>
      <div class="head">
        <h1>{name}</h1>
        <span class="badge" data-tone={tone}>
          {words}
        </span>
      </div>
      {contradiction ? <Confirm {...contradiction} token={around.token} /> : null}
      {advice.map((each) => (
        <Todo key={each.title} {...each} />
      ))}
      {isWaiting ? (
        <Act token={around.token} act="deal" id={payment.id}>
          <input type="hidden" name="known" value={knownOfOrder(quotes)} />
          <button type="submit">I have dealt with this</button>
        </Act>
      ) : dealtAt === undefined ? null : (
        <Act token={around.token} act="wait" id={payment.id}>
          <p class="soft">
            Dealt with: <Time at={dealtAt} />
          </p>
          <button type="submit" class="quiet">
            Put it back on the list “Waits for you”
          </button>
        </Act>
      )}
      <section class="card">
        <h2>The order</h2>
        <dl>
          <Fact name="Price">
            <b class="num">{amountText(payment.price)}</b>
          </Fact>
          <Fact name="Received">{receivedText(payment)}</Fact>
          <Fact name="Paid">{paidAt(payment) && <Time at={paidAt(payment) ?? ''} />}</Fact>
          <Fact name="Paid in all">{paid.length > 1 && `${paid.length} times`}</Fact>
          <Fact name="Your order">{payment.reference}</Fact>
        </dl>
      </section>
      <section class="card">
        <h2>What happened</h2>
        <ol class="story">
          {storyOf(quotes, told, circumstances.nowMs).map(({ at, tone, words, more }) => (
            <li key={`${at} ${words}`} data-tone={tone}>
              <div>{words}</div>
              {more ? <div class="soft small">{more}</div> : null}
              <div class="soft small">
                <Time at={at} />
              </div>
            </li>
          ))}
        </ol>
        {hasEvents ? null : (
          <p class="soft small">Your shop asks this server what came of orders, and is not told of payments.</p>
        )}
      </section>
      {quotes.map((quote) => (
        <Quote key={quote.id} token={around.token} {...{ quote, hasEvents, circumstances }} />
      ))}
      {paid.length > 0 ? (
        <details class="card" open={advice.some(({ paysBack }) => paysBack)}>
          <summary>{refund.title}</summary>
          <Steps steps={refund.steps} />
        </details>
      ) : null}
      <p class="soft small">Times are of UTC.</p>
    </Page>
  )
}

/** An address, an amount and a time to pay, and what can be done about it. */
function Quote({
  quote,
  token,
  hasEvents,
  circumstances,
}: Pick<PaymentPage, 'token' | 'hasEvents' | 'circumstances'> & { readonly quote: MerchantCheckout }): VNode {
  const { id, asset, network, deposit, order, candidates, history } = quote
  const { words, tone } = stateOf(quote, kindsOf(quote, circumstances), circumstances.nowMs)
  return (
    <section class="card">
      <div class="head">
        <h2>{deposit ? `${deposit.amount} ${asset}` : asset}</h2>
        <span class="badge" data-tone={tone}>
          {words}
        </span>
      </div>
      <dl>
        <Fact name="Network">{network}</Fact>
        <Fact name="Address">{deposit && <span class="code">{deposit.address}</span>}</Fact>
        <Fact name="Tag">{deposit?.tag && <span class="code">{deposit.tag}</span>}</Fact>
        <Fact name="Valid until">{deposit && <Time at={deposit.expiresAt} />}</Fact>
        <Fact name="Received">{receivedText(quote)}</Fact>
        <Fact name="At the service">
          {order ? <span class="code">{order.id}</span> : 'Not known which order it is'}
        </Fact>
        <Fact name="Payment">
          <span class="code">{id}</span>
        </Fact>
      </dl>
      <div class="acts">
        {hasEvents && history.length > 1 ? (
          <Act token={token} act="tell" id={id}>
            <button type="submit" class="quiet">
              Tell the shop again
            </button>
          </Act>
        ) : null}
        {deposit ? (
          <details open={order === null}>
            <summary>{order ? 'It is another order of the service' : 'Name its order at the service'}</summary>
            <Act token={token} act="bind" id={id}>
              <label>
                Number of the order at the service
                <input name="order" required maxLength={200} autoComplete="off" list={`candidates-${id}`} />
              </label>
              {candidates.length > 0 ? (
                <p class="soft small">
                  It may be <span class="code">{candidates.join(', ')}</span>.
                </p>
              ) : null}
              <datalist id={`candidates-${id}`}>
                {candidates.map((each) => (
                  <option key={each} value={each} />
                ))}
              </datalist>
              <button type="submit">This is its order</button>
            </Act>
          </details>
        ) : null}
      </div>
    </section>
  )
}

function Confirm({ id, orderId, why, token }: Contradiction & { readonly token: string }): VNode {
  return (
    <section class="card todo" role="alert">
      <h2>This order does not seem to be it</h2>
      <p>{why}</p>
      <div class="acts">
        <Act token={token} act="bind" id={id}>
          <input type="hidden" name="order" value={orderId} />
          <input type="hidden" name="confirmed" value="yes" />
          <button type="submit">It is this order anyway</button>
        </Act>
      </div>
    </section>
  )
}

function Todo({ title, steps }: Advice): VNode {
  return (
    <section class="card todo">
      <h2>{title}</h2>
      <Steps steps={steps} />
    </section>
  )
}

function Steps({ steps }: Pick<Advice, 'steps'>): VNode {
  return (
    <ul>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ul>
  )
}

/** Left out where there is no value. */
function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode | null {
  if (!children) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

interface Step {
  readonly at: string
  readonly tone: Tone
  readonly words: string
  readonly more?: string | undefined
}

/** Oldest first. */
function storyOf(quotes: readonly MerchantCheckout[], told: readonly Told[], nowMs: number): readonly Step[] {
  const steps = [
    ...quotes.toReversed().flatMap((quote) => stepsOf(quote, quotes.length === 1, nowMs)),
    ...told.map(toldStep),
  ]
  return steps.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at))
}

function stepsOf(
  { createdAt, deposit, asset, network, history, arrival }: MerchantCheckout,
  isOnly: boolean,
  nowMs: number,
): readonly Step[] {
  const tag = deposit?.tag ? `, tag ${deposit.tag}` : ''
  const wasSeen = history.some(({ phase }) => phase !== 'waiting')
  const changes = history.filter(({ phase }, at) => at > 0 || phase !== 'waiting')
  return [
    {
      at: createdAt,
      tone: 'calm',
      words: deposit ? `The payer was asked for ${deposit.amount} ${asset}` : `The payer chose ${asset}`,
      more: deposit ? `${network}, to ${deposit.address}${tag}` : 'The service gave no address.',
    },
    ...changes.map((change, at): Step => {
      const came = at === changes.length - 1 && arrival?.received
      const more = [isOnly || !deposit ? [] : `Of ${deposit.amount} ${asset}.`, came ? `${amountText(came)} came.` : []]
        .flat()
        .join(' ')
      return { at: change.at, ...changeText(change), more }
    }),
    ...(deposit && !wasSeen && Date.parse(deposit.expiresAt) <= nowMs
      ? [{ at: deposit.expiresAt, tone: 'calm', words: 'The price ended, and nothing was seen' } as const]
      : []),
  ]
}

function toldStep({ type, id, firstAt, lastAt, times, failure }: Told): Step {
  const tries = times > 1 ? `, ${times} times` : ''
  return failure === null
    ? { at: lastAt, tone: 'good', words: `Your shop was told: ${type}`, more: `Event ${id}${tries}` }
    : {
        at: firstAt,
        tone: 'bad',
        words: `Your shop could not be told: ${type}`,
        more: `${failure}. Event ${id}${tries}`,
      }
}
