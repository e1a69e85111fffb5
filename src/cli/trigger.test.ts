import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bitcoin, createTestShop, order, type TestShop, xrp } from '../server/shop.testing.ts'
import { creationScenarios } from './scenarios.ts'
import { createCommandShop, createStoreIn } from './shop.testing.ts'
import { orderScenarios } from './trigger.ts'
import { makeFolder, setUp } from './world.testing.ts'

const webhookSecret = 'a-secret_of.24~characters'

/** A shop that gets the sandbox's webhooks in virtual time, and the command `trigger`. */
function createTriggeredShop(methods = [xrp]) {
  const shop: TestShop = createTestShop({
    webhookSecret,
    sandbox: {
      webhooks: {
        receivers: [{ url: 'https://shop.example/hooks/', secret: webhookSecret }],
        fetch: (input, init) => shop.paywindow.webhook(new Request(input, init)),
      },
    },
  })
  shop.sells({ methods })
  const { command } = setUp(shop.sandbox)
  const trigger = (...line: string[]) =>
    shop.run(command(['trigger', ...line, '--sandbox', shop.sandbox.access.baseUrl]))
  const open = async (asset = methods[0]) => {
    const checkout = await shop.open({ reference: 'cart-42', asset: asset?.asset, network: asset?.network })
    await shop.settle()
    return checkout
  }
  /** Polls as a browser for some time. */
  const browse = async (checkout: Awaited<ReturnType<typeof open>>, seconds = 15) => {
    await shop.run(shop.sandbox.webhooks.settled())
    for (let at = 0; at < seconds; at += 3) {
      await shop.pass(3_000)
      await shop.poll(checkout)
      await shop.settle()
    }
    return shop.poll(checkout)
  }
  return { shop, trigger, open, browse }
}

describe('paywindow trigger', () => {
  it.each(Object.entries(orderScenarios).filter(([name]) => name !== 'twice'))(
    '%s ends in the status that it names, for the merchant and the payer',
    async (name, { ends, merchant: words }) => {
      const { shop, trigger, open, browse } = createTriggeredShop()
      const checkout = await open()
      if (name === 'confirm') await trigger('seen')
      const { code, stdout, stderr } = await trigger(name)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toContain(order(shop).id)
      expect(stdout).toContain(words)
      const shown = await browse(checkout)
      expect([order(shop).status, shown.status]).toEqual([ends, ends])
      expect(shop.events.at(-1)?.status ?? 'open').toBe(ends)
      expect(shop.errors).toEqual([])
    },
  )

  it('paid is known from the webhook, before a browser polls', async () => {
    const { shop, trigger, open } = createTriggeredShop()
    await open()
    const atMs = shop.clock.now()
    await trigger('paid')
    await shop.run(shop.sandbox.webhooks.settled())
    await shop.settle()
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect(shop.clock.now() - atMs).toBeLessThanOrEqual(1_000)
  })

  it('webhook-forged and webhook-out-of-order never tell a payment after the end', async () => {
    for (const name of ['webhook-forged', 'webhook-out-of-order']) {
      const { shop, trigger, open, browse } = createTriggeredShop()
      const checkout = await open()
      await trigger(name)
      await browse(checkout)
      const told = shop.events.map(({ status }) => status)
      expect([told.at(-1), told.slice(told.indexOf('canceled') + 1)]).toEqual(['canceled', []])
    }
  })

  it('expired ends the quote for the payer', async () => {
    const { trigger, open, browse } = createTriggeredShop()
    const checkout = await open()
    await trigger('expired')
    expect((await browse(checkout)).expiresInMs).toBeLessThanOrEqual(0)
  })

  it('late leaves a shop whose next checkout can be paid', async () => {
    const { shop, trigger, open, browse } = createTriggeredShop([xrp, bitcoin])
    await browse(await open(xrp))
    await trigger('late')
    await trigger('refund')
    await browse(await open(xrp))
    shop.events.length = 0
    const next = await shop.open({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })
    await shop.settle()
    await trigger('paid')
    expect(await browse(next, 90)).toMatchObject({ status: 'confirmed' })
    expect(shop.events.map(({ status, checkout }) => [checkout.id, status])).toContainEqual([next.id, 'confirmed'])
  })

  it('twice pays two orders of a cart, and the merchant is told so', async () => {
    const { shop, trigger, open, browse } = createTriggeredShop([bitcoin, xrp])
    const first = await open(bitcoin)
    expect(await trigger('twice')).toMatchObject({ code: 1, stderr: expect.stringContaining('second order') })
    const second = await open(xrp)
    expect(await trigger('twice')).toMatchObject({ code: 0, stderr: '' })
    await browse(first)
    await browse(second)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
    expect(shop.events.at(-1)?.alsoPaid).toEqual([shop.events[0]?.checkout.id])
    expect(shop.errors.map(({ code }) => code)).toContain('paid_twice')
  })

  it('lost-answer creates an order that nobody pays, and a second order that is paid', async () => {
    const { shop, trigger, open, browse } = createTriggeredShop()
    expect(await trigger('lost-answer')).toMatchObject({ code: 0, stderr: '' })
    const checkout = await open()
    expect(shop.sandbox.orders()).toHaveLength(2)
    await trigger('paid')
    expect(await browse(checkout, 90)).toMatchObject({ status: 'confirmed' })
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect(order(shop).status).toBe('open')
    expect(shop.errors.map(({ code }) => code)).toEqual(['service_unavailable'])
  })

  it('slow-answer only takes time', async () => {
    const { shop, trigger, open } = createTriggeredShop()
    await trigger('slow-answer')
    const atMs = shop.clock.now()
    await open()
    expect(shop.clock.now() - atMs).toBeGreaterThanOrEqual(10_000)
    expect(shop.sandbox.orders()).toHaveLength(1)
  })

  it('refused makes no order', async () => {
    const { shop, trigger } = createTriggeredShop()
    await trigger('refused')
    const { status, json } = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    expect([status, json]).toMatchObject([502, { error: { code: 'service_refused' } }])
    expect(shop.sandbox.orders()).toEqual([])
  })

  it('acts on the newest order that fits, or on a named order', async () => {
    const { shop, trigger, open } = createTriggeredShop([bitcoin, xrp])
    await open(bitcoin)
    await open(xrp)
    await trigger('underpaid')
    expect(shop.sandbox.orders().map(({ workflow }) => workflow)).toEqual(['awaiting', 'top_up'])
    await trigger('underpaid', '--order', order(shop).id)
    expect(shop.sandbox.orders().map(({ workflow }) => workflow)).toEqual(['top_up', 'top_up'])
    expect(await trigger('underpaid', '--order', order(shop).id)).toMatchObject({
      code: 1,
      stderr: `paywindow: Order ${order(shop).id} is top_up, and “underpaid” needs one that is waiting.\n`,
    })
    expect(await trigger('top-up')).toMatchObject({ code: 0 })
    expect(shop.sandbox.orders().map(({ workflow }) => workflow)).toEqual(['top_up', 'confirmed'])
  })

  it('acts on an order of a named cart', async () => {
    const folder = makeFolder()
    const { open, run, sandbox, paywindow } = createCommandShop(createStoreIn(folder), folder)
    await open('cart-1')
    await open('cart-2')
    const line = ['--sandbox', sandbox.access.baseUrl]
    expect(await run('trigger', 'canceled', '--reference', 'cart-1', ...line)).toMatchObject({ code: 0, stderr: '' })
    expect(sandbox.orders().map(({ status }) => status)).toEqual(['canceled', 'open'])
    expect(await run('trigger', 'canceled', '--reference', 'cart-3', ...line)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No order of the sandbox is for the cart cart-3'),
    })
    await paywindow.close()
  })

  it('says who gets webhooks, without the path, and when nobody does', async () => {
    const { shop, trigger, open } = createTriggeredShop()
    await open()
    expect((await trigger('seen')).stdout).toMatch(/Webhooks: +none for this/)
    expect((await trigger('confirm')).stdout).toMatch(/Webhooks: +sent to https:\/\/shop\.example\.\n/)
    shop.sandbox.webhooks.unregister('https://shop.example/hooks/')
    expect((await trigger('reversed')).stdout).toMatch(/Webhooks: +nobody gets any/)
  })

  it('lists all scenarios', async () => {
    const { code, stdout } = await setUp().command(['trigger', '--list'])
    expect(code).toBe(0)
    for (const name of [...Object.keys(orderScenarios), ...Object.keys(creationScenarios)])
      expect(stdout).toMatch(new RegExp(`^${name} `, 'm'))
  })

  it.each<[string, string[], number, string]>([
    ['no scenario', [], 2, 'Name a scenario: “npx paywindow trigger --list”'],
    ['an unknown scenario', ['pay'], 2, 'There is no scenario pay: “npx paywindow trigger --list”'],
    ['a name that every object has', ['constructor'], 2, 'There is no scenario'],
    ['no order', ['paid'], 1, 'The sandbox has no order. Open a checkout'],
    ['an order that is not there', ['paid', '--order', 'o-1'], 1, 'The sandbox has no order o-1'],
    ['no address', ['paid', '--sandbox', 'localhost:4300'], 2, '--sandbox must be the address'],
  ])('with %s says what to do', async (_, line, code, words) => {
    const { trigger } = createTriggeredShop()
    const { command } = setUp()
    const result = line.includes('--sandbox') ? await command(['trigger', ...line]) : await trigger(...line)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(words)
  })

  it.each<[string, typeof fetch]>([
    ['no server', () => Promise.reject(new TypeError('fetch failed'))],
    ['another server', async () => new Response('<html>')],
    ['another server that speaks JSON', async () => Response.json({ ok: true })],
    ['a service that wants a token', async () => Response.json({ message: 'Unauthorized' }, { status: 401 })],
  ])('says that there is no sandbox where there is %s', async (_, answer) => {
    const { code, stderr } = await setUp().command(['trigger', 'paid'], {}, answer)
    expect([code, stderr]).toEqual([1, expect.stringContaining('start one with “npx paywindow sandbox”')])
  })
})

describe('the words of the scenarios', () => {
  it('are those of the documentation', () => {
    const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8')
    const rows = Object.entries({ ...orderScenarios, ...creationScenarios }).map(
      ([name, { does }]) => `| \`${name}\` | ${does} |`,
    )
    expect(rows.filter((row) => !page.includes(row))).toEqual([])
  })

  it('are those of the widget', () => {
    const read = (name: string) => readFileSync(new URL(`../locales/${name}.ts`, import.meta.url), 'utf8')
    const texts = ['en-panel', 'en-later', 'en-after'].map(read).join('')
    const said = [...Object.values(orderScenarios), ...Object.values(creationScenarios)].flatMap(({ payer }) =>
      [...payer.matchAll(/“([^”]+)”/g)].map(([, words]) => words),
    )
    expect(said.length).toBeGreaterThan(20)
    expect(said.filter((words) => !texts.includes(`: '${words}'`))).toEqual([])
  })
})
