/** @jsxImportSource preact */
/** What the desk shows: reads the shop's payments, and draws them. */
import { ParseError } from '../../contract/parse.ts'
import type { Answer, Incoming } from '../../server/http/exchange.ts'
import type { PaywindowServer } from '../../server/paywindow.ts'
import type { MerchantCheckout } from '../../server/views/merchant-view.ts'
import { forExcel, paymentsCsv } from '../csv.ts'
import { type createDealt, knownOfOrder } from '../dealt.ts'
import { type Filter, isKind, paidAt, paidTwice, readMoment, searchPayments, waits } from '../search.ts'
import type { Told } from '../told.ts'
import { HealthPage } from './health-page.tsx'
import { type Around, headers, Page, pageAnswer, type Said } from './layout.tsx'
import { type Asked, ListPage } from './list-page.tsx'
import { type Contradiction, PaymentPage } from './payment-page.tsx'
import type { Session } from './sessions.ts'

/** Where pages get what they show. */
export interface PageParts {
  readonly paywindow: Pick<PaywindowServer, 'checkouts' | 'health'>
  /** What the shop was told of a checkout. */
  readonly told: (checkoutId: string) => Promise<readonly Told[]>
  readonly dealt: ReturnType<typeof createDealt>
  readonly hasEvents: boolean
  readonly now: () => number
}

interface Pressed {
  readonly said?: Said | undefined
  readonly contradiction?: Contradiction
  readonly status?: number
}

/** Rows of a list. */
const rows = 50
/** Payments that a page looks through. A file looks through all. */
const mostRead = 2_000

const done = new Map([
  ['told', 'Your shop is told again within a few seconds.'],
  ['dealt', 'This payment is off the list “Waits for you” until something new happens.'],
  ['waits', 'This payment is on the list “Waits for you” again.'],
  ['bound', 'The order is this payment’s now, and your shop is told what came of it.'],
])

/** Pages that say one thing, at the desk that `around` names. */
export function createSay(around: Around) {
  return (title: string, words: string, status: number, session?: Session): Answer =>
    pageAnswer(
      <Page {...around} token={session?.token} title={title}>
        <h1>{title}</h1>
        <p>{words}</p>
        <a href={around.base}>To the payments</a>
      </Page>,
      status,
    )
}

/** For whoever has signed in. */
export function createPages(around: Around, { paywindow, told, dealt, hasEvents, now }: PageParts) {
  const { checkouts } = paywindow
  const say = createSay(around)

  async function list({ searchParams }: URL, { token }: Session): Promise<Answer> {
    const asked = readAsked(searchParams)
    const before = searchParams.get('before') ?? undefined
    if (before !== undefined && !isId(before)) throw new ParseError('There is no such part of the list')
    const isFirst = before === undefined && Object.values(asked).every((value) => value === '')
    // Whoever asks for payments that wait is shown all of them, as by the command.
    const isCounted = asked.only === 'paid-twice' || asked.only === 'attention'
    const circumstances = {
      nowMs: now(),
      twice: await paidTwice(checkouts, isCounted ? undefined : mostRead),
      dealt: await dealt.read(),
    }
    const search = (filter: Filter, from?: string) =>
      searchPayments(checkouts, filter, { before: from, limit: rows, mostRead }, circumstances)
    const { found, next } = await search(filterOf(asked, now()), before)
    const waiting = isFirst ? await search({ only: 'attention' }) : undefined
    return pageAnswer(
      <ListPage
        {...around}
        {...{ token, asked, waiting: waiting?.found, found, circumstances }}
        moreWaiting={
          waiting?.next === undefined ? undefined : queryOf({ ...asked, only: 'attention', before: waiting.next })
        }
        query={queryOf(asked)}
        next={next === undefined ? undefined : queryOf({ ...asked, before: next })}
      />,
    )
  }

  async function file({ searchParams }: URL): Promise<Answer> {
    const asked = readAsked(searchParams)
    const circumstances = { nowMs: now(), twice: await paidTwice(checkouts), dealt: await dealt.read() }
    const all = { limit: Number.POSITIVE_INFINITY }
    const { found } = await searchPayments(checkouts, filterOf(asked, now()), all, circumstances)
    const name = ['payments', asked.from, asked.to].join(' ').trim()
    return {
      status: 200,
      headers: {
        ...headers,
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}.csv"`,
      },
      body: paymentsCsv(found, forExcel),
    }
  }

  /** The order that a payment is of. */
  async function readOrder({ reference }: MerchantCheckout) {
    const quotes = await checkouts.list({ reference, limit: 1_000 })
    const isTwice = quotes.filter((quote) => paidAt(quote) !== null).length > 1
    const circumstances = { nowMs: now(), twice: new Set(isTwice ? [reference] : []), dealt: await dealt.read() }
    return { quotes, circumstances }
  }

  async function payment(id: string, session: Session, { status, ...pressed }: Pressed = {}): Promise<Answer> {
    const found = await checkouts.get(id)
    if (!found) return say('Not found', 'There is no such payment.', 404, session)
    const { quotes, circumstances } = await readOrder(found)
    const toldOf = (await Promise.all(quotes.map((quote) => told(quote.id)))).flat()
    const page = { ...around, ...session, ...pressed, payment: found, quotes, told: toldOf, hasEvents, circumstances }
    return pageAnswer(<PaymentPage {...page} />, status)
  }

  /**
   * Lets an order wait for nobody until something new happens, or wait again.
   *
   * @param id - Of one of its payments.
   * @param known - What the person knew of it; undefined to let it wait again.
   * @returns Whether that was everything; else nothing is done.
   */
  async function deal(id: string, known: string | undefined): Promise<boolean> {
    const found = await checkouts.get(id)
    if (!found) return true
    const { quotes, circumstances } = await readOrder(found)
    if (known !== undefined && known !== knownOfOrder(quotes)) return false
    const isDealt = known !== undefined
    for (const quote of quotes) if (!isDealt || waits(quote, circumstances)) await dealt.mark(quote, isDealt)
    return true
  }

  /** @param path - What follows `admin`. @throws ParseError for a filter that is none. */
  async function show({ url }: Incoming, path: string, session: Session): Promise<Answer> {
    const id = paymentIn(path)
    if (id !== undefined) {
      const words = done.get(url.searchParams.get('done') ?? '')
      return payment(id, session, words === undefined ? {} : { said: { tone: 'good', words } })
    }
    switch (path.replace(/\/$/, '')) {
      case '':
        return list(url, session)
      case '/payments.csv':
        return file(url)
      case '/health':
        return pageAnswer(<HealthPage {...around} {...session} health={await paywindow.health()} nowMs={now()} />)
    }
    return say('Not found', 'There is no such page.', 404, session)
  }

  return { show, payment, deal }
}

/** The checkout that a path is of. */
export function paymentIn(path: string): string | undefined {
  const id = /^\/payments\/([^/]+)\/?$/.exec(path)?.[1]
  return id !== undefined && isId(id) ? id : undefined
}

/** Whether a text can be the id of a checkout. Some databases fail for others. */
export function isId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text)
}

/** @throws ParseError */
function readAsked(query: URLSearchParams): Asked {
  const only = query.get('only') ?? ''
  if (only !== '' && !isKind(only)) throw new ParseError('There is no such kind of payments')
  const text = (name: string, most: number) => (query.get(name) ?? '').trim().slice(0, most)
  return { only, search: text('search', 200), from: text('from', 40), to: text('to', 40) }
}

/** @throws ParseError */
function filterOf({ only, search, from, to }: Asked, nowMs: number): Filter {
  return {
    ...(only !== '' && { only }),
    ...(search !== '' && { search }),
    ...(from !== '' && { fromMs: readMoment(from, 'from', nowMs) }),
    ...(to !== '' && { toMs: readMoment(to, 'to', nowMs) }),
  }
}

function queryOf(asked: Asked & { readonly before?: string }): string {
  const named = Object.entries(asked).filter(([, value]) => value !== '')
  return named.length === 0 ? '' : `?${new URLSearchParams(named)}`
}
