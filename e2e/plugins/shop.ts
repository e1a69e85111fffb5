/** A shop of another platform with its plug-in, and what each must do with every outcome. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../scripts/browsers.ts'
import { en } from '../../src/locales/en.ts'
import { expectKept } from './kept-table.ts'
import { outcomes } from './outcomes.ts'
import { createSettings, type Payments, type Settings, startPayments, type Told } from './payments.ts'

/** An order as the platform's own API says it. */
interface ShopOrder {
  readonly status: string
  /** The platform's id of the payment: the checkout. Empty: none. */
  readonly transaction: string
  readonly stock: number
  readonly notes: readonly string[]
}

/** A shop that sells one book, of which it has five. */
export interface Shop {
  /** A page with one button, which leads to the payment page. Https. */
  readonly url: string
  /** Where it takes events. Changes with a restart. */
  eventsUrl(): string
  /** Where another process of the shop takes them. */
  readonly otherEventsUrl: string
  /** What the button does. */
  buy(): Promise<{ readonly order: string; readonly link: string }>
  read(order: string): Promise<ShopOrder>
  /** A person of the shop sets a status. */
  setStatus(order: string, status: string): Promise<void>
  /** Whether test payments pay orders. They do at first. */
  setTest(isTest: boolean): Promise<void>
  /** Lets an e-mail fail that the next payment causes, `before` or `after` the order is stored. */
  failMail(when: 'before' | 'after'): void
  /**
   * Kills the server within the next payment, after the order has changed. Resolves when it is
   * dead.
   */
  dieInNextPayment(): Promise<unknown>
  restart(): Promise<void>
  close(): Promise<void>
}

/** What a platform says. */
interface Expected {
  readonly platform: string
  /** The status after each outcome, by its name. */
  readonly statuses: Readonly<Record<string, string>>
  /** How many of the five books are left in each status. */
  readonly stock: Readonly<Record<string, number>>
  /** A status that a person sets for what is paid in another way. */
  readonly byHand: string
  /** A status in which the platform takes no payment. Default: it always does. */
  readonly untaken?: string
  /** Where the payer comes back to. */
  readonly back: RegExp
}

type Row = readonly [outcome: string, order: ShopOrder]

export function testShop(expected: Expected, start: (settings: Settings) => Promise<Shop>): void {
  const { platform, statuses, stock } = expected
  let settings: Settings
  let shop: Shop
  const rows: Row[] = []
  /** Nothing that is told arrives. */
  let isAway = false

  beforeAll(async () => {
    settings = await createSettings()
    shop = await start(settings)
  }, 180_000)
  afterAll(() => shop?.close(), 60_000)

  const withPayments = async <Result>(work: (payments: Payments) => Promise<Result>, port?: number) => {
    const payments = await startPayments(settings, {
      eventsUrl: () => (isAway ? 'http://127.0.0.1:1/' : shop.eventsUrl()),
      ...(port && { port }),
    })
    try {
      return await work(payments)
    } finally {
      await payments.close()
    }
  }
  const expectOrder = (order: ShopOrder, status = '') => {
    expect(order).toMatchObject({ status, stock: stock[status] })
    return order
  }
  /** A paid order. */
  const pay = (payments: Payments) => async () => {
    const { order, link } = await shop.buy()
    const chosen = await payments.choose(link)
    payments.trigger('paid', chosen)
    return { order, told: await payments.taken('payment.paid', order, chosen) }
  }

  describe.concurrent('after each outcome', () => {
    it.each(outcomes)('$name', ({ name, play }) =>
      withPayments(async (payments) => {
        const { order, link } = await shop.buy()
        await play({ payments, order, link })
        const read = expectOrder(await shop.read(order), statuses[name])
        expect(read.notes.some((note) => note.includes('TEST, no money has moved. Paywindow:'))).toBe(true)
        rows.push([name, read])
      }),
    )
  })

  it('is killed between paid and the order, and does it once when the event comes again', () =>
    withPayments(async (payments) => {
      const { order, link } = await shop.buy()
      const died = shop.dieInNextPayment()
      const chosen = await payments.choose(link)
      payments.trigger('paid', chosen)
      await died
      isAway = true
      await shop.restart()
      const paidNotes = ({ notes }: ShopOrder) => notes.filter((note) => note.includes('Paywindow: paid')).length
      const undone = await shop.read(order)
      expect([undone.transaction, paidNotes(undone), undone.status !== statuses.paid]).toEqual(['', 0, true])
      isAway = false
      const { id } = await payments.taken('payment.paid', order, chosen)
      const tries = payments.told.filter(({ event }) => event.type === 'payment.paid')
      expect(tries[0]).toMatchObject({ id, status: 502 })
      expect(new Set(tries.map((each) => each.id))).toEqual(new Set([id]))
      const read = expectOrder(await shop.read(order), statuses.paid)
      expect(paidNotes(read)).toBe(1)
      rows.push(['paid, and the server killed before the order was stored', read])
    }))

  it('does nothing twice, and nothing backwards', () =>
    withPayments(async (payments) => {
      const { order, told } = await pay(payments)()
      const before = await shop.read(order)
      expect(await payments.send(told.event, { id: told.id })).toBe(204)
      expect(await shop.read(order)).toEqual(before)
      const earlier = withData(told, 'payment.seen', { phase: 'seen', at: '2026-01-01T00:00:00.000Z' })
      const other = withData(told, 'payment.seen', {
        phase: 'seen',
        checkout: 'another',
        at: '2099-01-01T00:00:00.000Z',
      })
      for (const event of [earlier, other]) expect(await payments.send(event)).toBe(204)
      const { notes, ...after } = await shop.read(order)
      expect({ ...after, notes: before.notes }).toEqual(before)
      expect(notes.slice(before.notes.length)).toEqual([
        expect.stringContaining('This came late, and changes nothing.'),
        expect.stringContaining('stays so.'),
      ])
    }))

  it('takes an event once that two of its processes get at the same time', () =>
    withPayments(async (payments) => {
      const [{ told }, { order }] = [await pay(payments)(), await shop.buy()]
      const event = withData(told, 'payment.paid', { order })
      const elsewhere = await startPayments(settings, { eventsUrl: () => shop.otherEventsUrl })
      const tries = [payments, elsewhere, payments, elsewhere].map((each) => each.send(event, { id: 'evt_same' }))
      expect(await Promise.all(tries)).toEqual([204, 204, 204, 204])
      await elsewhere.close()
      expect((await shop.read(order)).notes.filter((note) => note.includes('Paywindow: paid'))).toHaveLength(1)
      expectOrder(await shop.read(order), statuses.paid)
    }))

  it('believes no other price, no other secret, and nothing old', () =>
    withPayments(async (payments) => {
      const { told } = await pay(payments)()
      const { order } = await shop.buy()
      const before = await shop.read(order)
      const paid = withData(told, 'payment.paid', { order })
      expect(await payments.send(paid, { secret: `whsec_${Buffer.alloc(32).toString('base64')}` })).toBe(400)
      expect(await payments.send(paid, { ageS: 301 })).toBe(400)
      expect((await fetch(shop.eventsUrl(), { method: 'POST', body: JSON.stringify(paid) })).status).toBe(400)
      expect(await payments.send({ type: 'payment.paid', data: { order } })).toBe(400)
      // The second is an amount that was typed at another link.
      for (const other of ['999999', `${order}.x7Kd0aLmQ2vB`])
        expect(await payments.send(withData(told, 'payment.paid', { order: other }))).toBe(500)
      expect(await shop.read(order)).toEqual(before)
      for (const price of [
        { asset: 'EUR', amount: '49.9' },
        { asset: 'USD', amount: '49.90' },
      ]) {
        expect(await payments.send(withData(told, 'payment.paid', { order, price }))).toBe(204)
        const read = expectOrder(await shop.read(order), statuses.short)
        expect(read.notes.join()).toContain(`WRONG PRICE: the order is 49.90 EUR now`)
        expect(read.transaction).toBe('')
      }
      // Money is there, so the order stays for a person.
      expect(await payments.send(withData(told, 'payment.lapsed', { order, phase: 'ended' }))).toBe(204)
      expectOrder(await shop.read(order), statuses.short)
    }))

  it('cancels nothing after a payment was taken back, and does nothing that it does not know', () =>
    withPayments(async (payments) => {
      const { order, told } = await pay(payments)()
      let at = Date.now()
      const send = async (type: string, data: object = {}) => {
        const event = withData(told, `payment.${type}`, {
          order,
          phase: type,
          at: new Date(at++).toISOString(),
          ...data,
        })
        expect(await payments.send(event)).toBe(204)
        return (await shop.read(order)).status
      }
      expect(await send('new_in_another_version')).toBe(statuses.paid)
      for (const type of ['taken_back', 'ended', 'lapsed', 'returned'])
        expect([type, await send(type)]).toEqual([type, statuses['paid, then taken back']])
      expect(await send('paid')).toBe(statuses.paid)
    }))

  it('cancels an order when it lapses and not before, and tells a person of a deposit that comes after that', () =>
    withPayments(async (payments) => {
      const { told } = await pay(payments)()
      const { order } = await shop.buy()
      const cancelled = statuses.lapsed
      const send = async (type: string, checkout: string, second: number) => {
        const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
        const data = { order, checkout, phase: type === 'seen' ? 'seen' : 'ended', at }
        expect(await payments.send(withData(told, `payment.${type}`, data))).toBe(204)
        const read = await shop.read(order)
        return [read.status, read.notes.findLast((note) => note.includes('Paywindow: '))]
      }
      const saying = (words: string) => expect.stringContaining(words)
      const released = saying('ATTENTION: the order was cancelled before.')
      expect(await send('seen', 'first', 1)).toEqual([statuses.seen, saying('Keep the goods')])
      expect(await send('ended', 'first', 2)).toEqual([statuses.seen, saying('The payer can begin another payment.')])
      expect(await send('seen', 'second', 4)).toEqual([statuses.seen, saying('Keep the goods')])
      expect(await send('ended', 'third', 5)).toEqual([statuses.seen, saying('A payment of the order goes on.')])
      // Told late: the deposit was seen after it.
      expect(await send('lapsed', 'third', 3)).toEqual([statuses.seen, saying('changes nothing')])
      expect(await send('lapsed', 'fourth', 3)).toEqual([statuses.seen, saying('A payment of the order goes on.')])
      // The end of the second was not told yet, and the clock of the server is ahead.
      expect(await send('lapsed', 'third', 60)).toEqual([cancelled, saying('Nobody has paid.')])
      expect(await send('late', 'third', 7)).toEqual([statuses.late, released])
      expect(await send('returned', 'third', 8)).toEqual([cancelled, saying('Nobody has paid.')])
      expect(await send('paid', 'third', 9)).toEqual([statuses.paid, released])
    }))

  it.runIf(expected.untaken)('is told of a payment until its platform takes it', () =>
    withPayments(async (payments) => {
      const { told } = await pay(payments)()
      const { order } = await shop.buy()
      await shop.setStatus(order, expected.untaken ?? '')
      const paid = withData(told, 'payment.paid', { order, at: new Date().toISOString() })
      expect(await payments.send(paid, { id: 'evt_untaken' })).toBe(500)
      await shop.setStatus(order, 'pending')
      expect(await payments.send(paid, { id: 'evt_untaken' })).toBe(204)
      expectOrder(await shop.read(order), statuses.paid)
    }),
  )

  it('leaves an order alone that a person has completed in another way, and says so', () =>
    withPayments(async (payments) => {
      const { told } = await pay(payments)()
      const { order } = await shop.buy()
      await shop.setStatus(order, expected.byHand)
      for (const type of ['payment.seen', 'payment.paid', 'payment.ended'])
        expect(await payments.send(withData(told, type, { order, at: new Date().toISOString() }))).toBe(204)
      const { status, notes } = await shop.read(order)
      expect(status).toBe(expected.byHand)
      expect(notes.filter((note) => note.includes('ATTENTION'))).toHaveLength(3)
    }))

  it('does nothing for test payments while it is live, and says so', () =>
    withPayments(async (payments) => {
      const { told } = await pay(payments)()
      const { order } = await shop.buy()
      const { notes, ...before } = await shop.read(order)
      await shop.setTest(false)
      for (const type of ['payment.seen', 'payment.paid', 'payment.paid_twice', 'payment.lapsed'])
        expect(await payments.send(withData(told, type, { order, at: new Date().toISOString() }))).toBe(204)
      await shop.setTest(true)
      const after = await shop.read(order)
      expect(after).toMatchObject(before)
      expect(after.notes.slice(notes.length)).toEqual(Array(4).fill(expect.stringMatching(/TEST.*NOTHING IS DONE/)))
      // Of a payment with money.
      expect(await payments.send(withData(told, 'payment.paid', { order, test: false }))).toBe(204)
      expectOrder(await shop.read(order), statuses.paid)
    }))

  it.each(['before', 'after'] as const)(
    'is paid where an e-mail fails %s it is stored, and is not told again',
    (when) =>
      withPayments(async (payments) => {
        const { told } = await pay(payments)()
        const { order } = await shop.buy()
        shop.failMail(when)
        expect(await payments.send(withData(told, 'payment.paid', { order, at: new Date().toISOString() }))).toBe(204)
        const read = expectOrder(await shop.read(order), statuses.paid)
        expect(read.transaction).not.toBe('')
        expect(read.notes.filter((note) => note.includes('Paywindow: paid'))).toHaveLength(1)
      }),
  )

  it('asks a person where the service has another amount', () =>
    withPayments(async (payments) => {
      const { told } = await pay(payments)()
      const { order } = await shop.buy()
      expect(await payments.send(withData(told, 'payment.short', { order, phase: 'paid_less' }))).toBe(204)
      expect(expectOrder(await shop.read(order), statuses.short).notes.join()).toContain('A person has to decide.')
    }))

  it('sells to a browser, which pays and comes back', () =>
    withPayments(async (payments) => {
      const browser = await chromium.launch({ executablePath: findChromium() ?? '' })
      try {
        const page = await browser.newPage({ ignoreHTTPSErrors: true, locale: 'en' })
        await page.goto(shop.url)
        await page.getByRole('button').click()
        await page.waitForURL(`${settings.page}?link=*`)
        await page.getByRole('button', { name: 'Bitcoin' }).click()
        await page.getByText(en.address, { exact: true }).waitFor()
        payments.triggerNewest('paid')
        await page.getByText(en.paidTitle).first().waitFor()
        await page.locator('a[href^="https:"]').filter({ hasText: 'Lantern Books' }).click()
        await page.waitForURL(expected.back)
      } finally {
        await browser.close()
      }
      const paid = payments.told.find(({ event }) => event.type === 'payment.paid')
      expectOrder(await shop.read(paid?.event.data.order ?? ''), statuses.paid)
    }, settings.port))

  it('does what its README says', () => {
    const readme = readFileSync(join(import.meta.dirname, `../../plugins/${platform}/README.md`), 'utf8')
    const said = [...readme.matchAll(/^\| `payment\.(\w+)` \| `([^`]+)` \|/gm)].map(([, type, status]) => [
      type,
      status,
    ])
    const names: Record<string, string> = { taken_back: 'paid, then taken back', paid_twice: 'paid twice' }
    expect(said).toHaveLength(10)
    expect(said).toEqual(said.map(([type = '']) => [type, statuses[names[type] ?? type]]))
  })

  it('says what docs/plugins.md says', () => {
    expect(rows).toHaveLength(outcomes.length + 1)
    const names = Object.keys(statuses)
    const sorted = rows.toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b))
    const header = '| outcome | status | transaction | of 5 books left | the last note of the plug-in |'
    expectKept('plugins.md', platform, [header, '|---|---|---|--:|---|', ...sorted.map(lineOf)])
  })
}

function withData({ event }: Told, type: string, data: object): object {
  return { ...event, type, data: { ...event.data, ...data } }
}

function lineOf([name, { status, transaction, stock, notes }]: Row): string {
  // Ids and rates differ from run to run.
  const note = notes
    .findLast((each) => each.includes('Paywindow: '))
    ?.replace(/^.*?(Paywindow: \S+) \(.*?\)\./, '$1.')
    .replace(/checkout \w{20,}/, 'checkout …')
  return `| ${name} | \`${status}\` | ${transaction ? 'the checkout' : 'none'} | ${stock} | ${note} |`
}
