/** What a plug-in of a shop on Node has to do, whatever the platform. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ensureChromium } from '../../scripts/browsers.ts'
import { root } from '../../scripts/paths.ts'
import { en } from '../../src/locales/en.ts'
import { startChromium } from '../hosts/engines/playwright.ts'
import type { TestPostgres } from '../stores/postgres-server.ts'
import { expectKept } from './kept-table.ts'
import { outcomes } from './outcomes.ts'
import { createSettings, type Payments, type Settings, startPayments } from './payments.ts'
import { type Bought, openLosingLine, openStorefront } from './storefront.ts'

/** A shop on a platform, with a server process and a database of its own. */
export interface NodeShop {
  readonly eventsUrl: string
  /** Buys one book as a guest does, by the platform's own API. */
  buy(): Promise<Bought>
  /** A cell for each of `columns`: what the platform's own API says. */
  look(bought: Bought): Promise<readonly string[]>
  /** All notes of an order for the shop's people, the oldest first. */
  notes(bought: Bought): Promise<readonly string[]>
  /** Resolves once the log of the server process has it. */
  logs(pattern: RegExp): Promise<void>
  /** What a guest is told of an order. */
  stateFor(id: string): Promise<string>
  /** Writes down that a part was paid in another way. */
  payOtherwise(bought: Bought): Promise<void>
  /** Shows an order to another channel, without this way to pay. Undefined where there are none. */
  readonly share?: (bought: Bought) => Promise<void>
  /** Buys a book that costs nothing, and says what `look` says. Undefined where nobody can pay it. */
  readonly buyFree?: () => Promise<readonly string[]>
  /** Packs the goods of an order before it is paid. Undefined where the platform never does. */
  readonly pack?: (bought: Bought) => Promise<void>
  /** Changes the cart, so that the platform forgets its payment. Undefined where none does. */
  readonly forget?: (bought: Bought) => Promise<void>
  /** Holds the database up at a place of the platform. */
  holdUp(bought: Bought, place: string): Promise<Hold>
  /** Test payments settle orders, unless `test` says that the shop is live. */
  start(test?: boolean): Promise<void>
  /** Ends the server process at once. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** Of what a platform says of an order. */
const columns = ['order', 'payment', 'transaction', 'stock kept']

/** A row that nobody else can change. */
interface Hold {
  /** Resolves once somebody waits for it. */
  isWanted(): Promise<void>
  letGo(): Promise<void>
}

/** A platform that has a plug-in. */
export interface Platform {
  readonly name: 'Vendure' | 'Medusa'
  /** Of the book, as the plug-in writes it. */
  readonly price: { readonly asset: string; readonly amount: string }
  /** How a row begins whose order is settled, and of one that waits. */
  readonly settled: readonly string[]
  readonly waiting: readonly string[]
  /**
   * Tables at which the recording of a payment can be held up. At the first, nothing has been
   * saved.
   */
  readonly places: readonly string[]
  /** The file that configures it as its README says. */
  readonly configured: string
  /** Starts it. @param storefront - Where payers go back to. */
  open(settings: Settings, storefront: string): Promise<NodeShop>
}

/** Defines the tests of a platform. `PAYWINDOW_WRITE=yes` writes its table. */
export function describePlatform(platform: Platform): void {
  describe(platform.name, () => {
    const { name, price, settled, waiting } = platform
    let shop: NodeShop
    let storefront: Awaited<ReturnType<typeof openStorefront>>
    let settings: Settings
    let payments: Payments
    let eventsUrl: string

    beforeAll(async () => {
      storefront = await openStorefront(() => shop)
      settings = await createSettings()
      shop = await platform.open(settings, storefront.url)
      await shop.start()
    }, 600_000)
    afterAll(async () => {
      await shop?.close()
      storefront?.close()
    }, 60_000)

    const openPayments = async () => {
      eventsUrl = shop.eventsUrl
      payments = await startPayments(settings, { port: settings.port, eventsUrl: () => eventsUrl })
    }
    beforeEach(openPayments)
    afterEach(() => payments.close())

    const begun = async (bought: Bought, length: number) => (await shop.look(bought)).slice(0, length)
    const expectSettled = async (bought: Bought) => expect(await begun(bought, settled.length)).toEqual(settled)
    const expectWaiting = async (bought: Bought) => expect(await begun(bought, waiting.length)).toEqual(waiting)

    /** Without what is another each time: ids and rates. */
    const lookWithNote = async (bought: Bought) => {
      const note = (await shop.notes(bought)).at(-1) ?? ''
      return [
        ...(await shop.look(bought)),
        note.replace(/ \([\d.]+ \w+ came\)/, '').replaceAll(/\b[0-9a-z]{21}\b/g, '…'),
      ]
    }

    /** An event of the payment server that nothing has caused. */
    const eventOf = ({ order }: Bought, type: string, more: object = {}) => ({
      type: `payment.${type}`,
      timestamp: new Date().toISOString(),
      data: {
        order,
        number: null,
        price,
        received: null,
        phase: 'paid',
        status: 'confirmed',
        checkout: 'a-checkout',
        at: '2026-11-21T09:43:00.000Z',
        also_paid: [],
        test: true,
        ...more,
      },
    })

    /** The server process ends while it works on the event of a payment. */
    async function payWhileKilled(bought: Bought, place: string): Promise<void> {
      const chosen = await payments.choose(bought.link)
      const { isWanted, letGo } = await shop.holdUp(bought, place)
      payments.trigger('paid', chosen)
      await Promise.race([isWanted(), payments.taken('payment.paid', bought.order, chosen)])
      await shop.kill()
      // Another try would change the order before the test has looked at it.
      payments.cutOff(true)
      await letGo()
      await shop.start()
      if (place === platform.places[0]) await expectWaiting(bought)
      payments.cutOff(false)
      const told = await payments.taken('payment.paid', bought.order, chosen)
      const tries = payments.told.filter(({ id }) => id === told.id)
      expect(tries.map(({ status }) => status < 300)).toEqual([...tries.slice(1).map(() => false), true])
      expect(tries.length).toBeGreaterThan(1)
      await expectSettled(bought)
      expect((await shop.notes(bought)).filter((note) => note.includes('Paid'))).toHaveLength(1)
    }

    it('its README has what runs here', () => {
      const squeezed = (code: string) => code.replaceAll(/\s+/g, ' ').trim()
      const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')
      const blocks = [...read('plugins', name.toLowerCase(), 'README.md').matchAll(/^```ts\n(.*?)^```$/gms)]
      expect(blocks).toHaveLength(1)
      expect(squeezed(readFileSync(platform.configured, 'utf8'))).toContain(squeezed(blocks[0]?.[1] ?? ''))
      const copies = ['vendure', 'medusa/modules/paywindow'].map((folder) =>
        read('plugins', folder, 'payment-server.ts'),
      )
      expect(copies[0]).toBe(copies[1])
    })

    it('docs/plugins.md has what the platform says after each outcome', { timeout: 600_000 }, async () => {
      const rows: string[][] = []
      for (const { name, play } of outcomes) {
        const bought = await shop.buy()
        await play({ payments, order: bought.order, link: bought.link })
        rows.push([name, ...(await lookWithNote(bought))])
        // With one order the server reads what the service says of it.
        await payments.close()
        await openPayments()
      }
      for (const place of platform.places) {
        const bought = await shop.buy()
        await payWhileKilled(bought, place)
        rows.push([`paid, the shop killed at the table ${place}`, ...(await lookWithNote(bought))])
      }
      const header = ['outcome', ...columns, 'last note']
      const table = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
      expectKept('plugins.md', name.toLowerCase(), table)
    })

    it('a payer goes to the page and comes back, in a browser', { timeout: 120_000 }, async () => {
      const payer = await startChromium(ensureChromium())
      const visit = await payer.open(storefront.url)
      await visit.press('Pay with crypto')
      const order = storefront.last().order
      await visit.choose('Bitcoin')
      payments.triggerNewest('paid')
      await visit.shows(en.paidTitle)
      await payments.taken('payment.paid', order, { orderId: '', look: async () => '' })
      await visit.follow('Back to Lantern Books')
      expect(await visit.run('document.body.innerText')).toBe(await shop.stateFor(storefront.last().id))
      await expectSettled(storefront.last())
      expect(await visit.complaints()).toEqual([])
      await payer.close()
    })

    it('an event whose answer was lost comes again, and is recorded once', async () => {
      const bought = await shop.buy()
      const chosen = await payments.choose(bought.link)
      const line = await openLosingLine(shop.eventsUrl)
      eventsUrl = line.url
      payments.trigger('paid', chosen)
      await payments.taken('payment.paid', bought.order, chosen)
      eventsUrl = shop.eventsUrl
      line.close()
      const tries = payments.told.filter(
        ({ event: { type, data } }) => type === 'payment.paid' && data.order === bought.order,
      )
      expect(tries.map(({ status }) => status < 300)).toEqual([false, true])
      await expectSettled(bought)
      expect((await shop.notes(bought)).filter((note) => note.includes('Paid'))).toHaveLength(1)
    })

    it('an event that comes twice at once is recorded once', async () => {
      const bought = await shop.buy()
      const event = eventOf(bought, 'paid')
      const send = () => payments.send(event, { id: `evt_${bought.id}` })
      const statuses = await Promise.all([send(), send(), send()])
      statuses.push(await send())
      expect(statuses.every((status) => status < 300 || status >= 500)).toBe(true)
      expect(statuses.at(-1)).toBeLessThan(300)
      await expectSettled(bought)
      expect((await shop.notes(bought)).filter((note) => note.includes('Paid'))).toHaveLength(1)
    })

    it('a forged, an old and a strange event change nothing', async () => {
      const bought = await shop.buy()
      const paid = eventOf(bought, 'paid')
      const otherSecret = `whsec_${Buffer.from('another secret of this length').toString('base64')}`
      expect(await payments.send(paid, { secret: otherSecret })).toBe(400)
      expect(await payments.send(paid, { ageS: 3_600 })).toBe(400)
      expect(await payments.send({ ...paid, data: { ...paid.data, order: 'nothing' } })).toBe(404)
      await expectWaiting(bought)
    })

    it('an event is taken whose length a proxy does not pass on, and one that is too long is refused', async () => {
      const bought = await shop.buy()
      const paid = eventOf(bought, 'paid')
      const status = await payments.send({ ...paid, more: 'x'.repeat(200_000) }, { inChunks: true })
      expect([400, 413]).toContain(status)
      await expectWaiting(bought)
      expect(await payments.send(paid, { inChunks: true })).toBeLessThan(300)
      await expectSettled(bought)
    })

    it('a live shop does nothing for a test payment, and says so', { timeout: 120_000 }, async () => {
      const bought = await shop.buy()
      await shop.kill()
      await shop.start(false)
      for (const type of ['seen', 'paid', 'paid_twice', 'lapsed']) {
        const logged = shop.logs(/NOTHING IS DONE/)
        expect(await payments.send(eventOf(bought, type))).toBeLessThan(300)
        await logged
        expect((await shop.notes(bought)).at(-1)).toMatch(/^TEST.*NOTHING IS DONE/)
      }
      await expectWaiting(bought)
      expect(await payments.send(eventOf(bought, 'paid', { test: false }))).toBeLessThan(300)
      await expectSettled(bought)
      await shop.kill()
      await shop.start()
    })

    it('a lapse that is told late cancels no order whose deposit is on its way', async () => {
      const bought = await shop.buy()
      const other = { checkout: 'another', phase: 'seen', at: '2026-11-21T10:00:00.000Z' }
      await payments.send(eventOf(bought, 'seen', other))
      expect(await payments.send(eventOf(bought, 'lapsed'))).toBeLessThan(300)
      await expectWaiting(bought)
      expect((await shop.notes(bought)).at(-1)).toContain('A payment of the order goes on.')
      // Nothing is on its way any more.
      await payments.send(eventOf(bought, 'ended', { ...other, phase: 'ended', at: '2026-11-21T10:00:01.000Z' }))
      expect(await payments.send(eventOf(bought, 'lapsed', { at: '2026-11-21T12:00:00.000Z' }))).toBeLessThan(300)
      expect((await shop.notes(bought)).at(-1)).toContain('The order is cancelled.')
    })

    it('another price or another currency is not settled', async () => {
      for (const other of [
        { ...price, amount: '49.89' },
        { ...price, asset: 'GBP' },
      ]) {
        const bought = await shop.buy()
        expect(await payments.send(eventOf(bought, 'paid', { price: other }))).toBeLessThan(300)
        await expectWaiting(bought)
        expect((await shop.notes(bought)).at(-1)).toContain('NOT SETTLED')
      }
    })

    it('events out of order never move an order backwards', async () => {
      const takenBack = await shop.buy()
      await payments.send(eventOf(takenBack, 'taken_back', { at: '2026-11-21T10:00:00.000Z' }))
      await payments.send(eventOf(takenBack, 'paid'))
      await expectWaiting(takenBack)
      const paid = await shop.buy()
      await payments.send(eventOf(paid, 'paid', { at: '2026-11-21T10:00:00.000Z' }))
      for (const type of ['seen', 'short', 'ended', 'lapsed']) await payments.send(eventOf(paid, type))
      await expectSettled(paid)
    })

    it('an order that is paid in another way, too, is not cancelled', async () => {
      const bought = await shop.buy()
      await shop.payOtherwise(bought)
      expect(await payments.send(eventOf(bought, 'lapsed'))).toBeLessThan(300)
      expect(await begun(bought, 1)).toEqual(waiting.slice(0, 1))
    })

    it('an order that several channels see is settled in its own', async ({ skip }) => {
      if (!shop.share) return skip('this platform shows no order in several channels')
      const bought = await shop.buy()
      await shop.share(bought)
      expect(await payments.send(eventOf(bought, 'paid'))).toBeLessThan(300)
      await expectSettled(bought)
    })

    it('an order that costs nothing is settled at once', async ({ skip }) => {
      if (!shop.buyFree) return skip('this platform begins no payment of nothing')
      expect((await shop.buyFree()).slice(0, settled.length)).toEqual(settled)
    })

    it('an order whose goods are packed is not cancelled, and is told of once', async ({ skip }) => {
      if (!shop.pack) return skip('this platform packs nothing before it is paid')
      const bought = await shop.buy()
      await shop.pack(bought)
      expect(await payments.send(eventOf(bought, 'lapsed'))).toBeLessThan(300)
      await expectWaiting(bought)
      expect((await shop.notes(bought)).at(-1)).toContain('NOT CANCELLED')
    })

    it('a payment that the platform has forgotten is told of, and again only if it is paid', async ({ skip }) => {
      if (!shop.forget) return skip('this platform forgets no payment')
      const bought = await shop.buy()
      await shop.forget(bought)
      for (const [type, status] of [
        ['seen', 204],
        ['paid', 404],
      ] as const) {
        const logged = shop.logs(/a payment session that is gone.*Refund what comes/)
        expect(await payments.send(eventOf(bought, type))).toBe(status)
        await logged
      }
      for (const type of ['ended', 'lapsed', 'returned']) expect(await payments.send(eventOf(bought, type))).toBe(204)
    })

    it('who pays after the order has lapsed is not sent anything, and not forgotten', async () => {
      const bought = await shop.buy()
      // By a server whose clock is ahead.
      await payments.send(eventOf(bought, 'lapsed', { at: '2026-11-21T20:00:00.000Z' }))
      const lapsed = await begun(bought, settled.length)
      for (const [at, type] of ['seen', 'late', 'short', 'over', 'paid', 'paid_twice'].entries()) {
        // Nobody looks at the notes of a cancelled order.
        const logged = shop.logs(/CANCELLED BEFORE/)
        await payments.send(eventOf(bought, type, { at: `2026-11-21T10:00:0${at}.000Z` }))
        await logged
        expect(await begun(bought, settled.length)).toEqual(lapsed)
        expect((await shop.notes(bought)).at(-1)).toContain('CANCELLED BEFORE')
      }
    })
  })
}

/** Locks a row until `letGo`. */
export async function holdUpRow(
  database: ReturnType<TestPostgres['openPool']>,
  table: string,
  column: string,
  value: string,
): Promise<Hold> {
  const client = await database.connect()
  await client.query('BEGIN')
  await client.query(`SELECT 1 FROM "${table}" WHERE "${column}" = $1 FOR UPDATE`, [value])
  return {
    isWanted: async () => {
      for (;;) {
        const { rows } = await database.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)
        if (rows.length > 0) return
      }
    },
    letGo: async () => {
      await client.query('ROLLBACK')
      client.release()
    },
  }
}
