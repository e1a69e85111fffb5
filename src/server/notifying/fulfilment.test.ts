/** The recipe of docs/fulfilment.md, as a merchant copies it, against the sandbox. */
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { bitcoin, order, xrp } from '../shop.testing.ts'
import { createShop, recipe } from './fulfilment.testing.ts'

const minuteMs = 60_000

vi.spyOn(console, 'error').mockImplementation(() => undefined)

describe('the recipe for a payment', () => {
  it('sends what is paid, once', async () => {
    const { shop, open, pass, deposit, addOrder, state, jobs, doJobs, doers, end } = createShop()
    addOrder()
    const checkout = await open()
    deposit(checkout)
    await pass()
    expect([state(), jobs()]).toEqual([['seen', checkout.id], []])
    shop.sandbox.payer.confirm(order(shop).id)
    await pass()
    expect([state(), jobs()]).toEqual([['paid', checkout.id], [['send', checkout.id]]])
    await doJobs()
    await doJobs()
    expect([state(), jobs()]).toEqual([['sent', checkout.id], []])
    expect(doers.send).toHaveBeenCalledTimes(1)
    expect(doers.send).toHaveBeenCalledWith(expect.objectContaining({ reference: 'cart-42', total: '49.90' }))
    await end()
  })

  it('does nothing for a test payment of a live shop, and says so', async () => {
    const { open, pay, pass, addOrder, state, jobs, end } = createShop({}, undefined, false)
    addOrder()
    const checkout = await open()
    pay(checkout)
    await pass()
    expect([state(), jobs()]).toEqual([['open', null], []])
    const words = `TEST, no money has moved for checkout ${checkout.id}: this shop is live, and does nothing.`
    expect(console.error).toHaveBeenCalledWith(words)
    await end()
  })

  it('changes nothing when it is told the same change again', async () => {
    const { shop, told, open, pay, pass, change, addOrder, state, jobs, doJobs, doers, end } = createShop()
    addOrder()
    const checkout = await open()
    pay(checkout)
    await pass()
    await doJobs()
    change("UPDATE orders SET state = 'open'; DELETE FROM jobs")
    await shop.run(shop.paywindow.retell(checkout.id))
    await pass()
    expect([state(), jobs()]).toEqual([['open', checkout.id], []])
    change("UPDATE orders SET state = 'sent'")
    expect(new Set(told.mock.calls.map(([{ eventId }]) => eventId)).size).toBe(1)
    expect(told).toHaveBeenCalledTimes(2)
    // As after a backup of Paywindow's store was restored: the same change under another id.
    const [[event] = []] = told.mock.calls
    if (event) await told({ ...event, eventId: 'another' })
    expect([state(), jobs()]).toEqual([['sent', checkout.id], []])
    expect(doers.send).toHaveBeenCalledTimes(1)
    await end()
  })

  it('is called again when it throws, and keeps nothing of the first call', async () => {
    const { shop, told, open, pay, pass, addOrder, state, jobs, end } = createShop()
    const checkout = await open()
    pay(checkout)
    await pass()
    expect(shop.errors.map(({ code }) => code)).toContain('callback_failed')
    // What is logged must not open the cart, which a signed reference does.
    for (const { cause } of shop.errors) expect(String(cause)).not.toContain('cart-42')
    addOrder()
    await pass(minuteMs)
    expect(new Set(told.mock.calls.map(([{ eventId }]) => eventId)).size).toBe(1)
    expect([state(), jobs()]).toEqual([['paid', checkout.id], [['send', checkout.id]]])
    await end()
  })

  it('sends nothing for another price, and lets a person decide', async () => {
    const { shop, told, open, pay, pass, addOrder, state, jobs, end } = createShop()
    addOrder()
    shop.sells({ price: { asset: 'USD', amount: '4.99' } })
    const checkout = await open()
    pay(checkout)
    await pass(minuteMs)
    expect(told).toHaveBeenCalledTimes(1)
    expect([state(), jobs()]).toEqual([['open', null], [['wrong price', checkout.id]]])
    await end()
  })

  it('gives nothing back by itself where a person decides about another price', async () => {
    const { shop, open, pay, pass, addOrder, state, jobs, end } = createShop()
    addOrder()
    const { offer } = shop
    shop.sells({ price: { asset: 'USD', amount: '4.99' } })
    const former = await open()
    shop.offer = offer
    const right = await open(xrp)
    pay(former)
    await pass(minuteMs)
    pay(right)
    await pass()
    expect(state()).toEqual(['paid', right.id])
    expect(jobs().filter(([, id]) => id === former.id)).toEqual([['wrong price', former.id]])
    await end()
  })
})

describe('the recipe for a cart that is paid twice', () => {
  it('refunds the later one, and tells a person', async () => {
    const { open, pay, pass, addOrder, state, jobs, doJobs, doers, end } = createShop()
    addOrder()
    const first = await open(bitcoin)
    const second = await open(xrp)
    pay(first)
    await pass()
    await doJobs()
    pay(second)
    await pass()
    expect(state()).toEqual(['sent', first.id])
    expect(jobs().sort()).toEqual([
      ['paid_twice', second.id],
      ['refund', second.id],
    ])
    await doJobs()
    expect(doers.refund).toHaveBeenCalledTimes(1)
    expect(doers.tell).toHaveBeenCalledWith(expect.objectContaining({ kind: 'paid_twice', reference: 'cart-42' }))
    expect(doers.send).toHaveBeenCalledTimes(1)
    await end()
  })

  it('refunds what it has lost the record of, because the change of the other names it', async () => {
    const { shop, payTwice, pass, change, addOrder, state, jobs, end } = createShop()
    addOrder()
    const { first, second } = await payTwice()
    change("UPDATE orders SET state = 'open', checkout = NULL; DELETE FROM jobs; DELETE FROM payment_events")
    await shop.run(shop.paywindow.retell(second.id))
    await pass()
    expect(state()).toEqual(['paid', second.id])
    expect(jobs().filter(([kind]) => kind === 'refund')).toEqual([['refund', first.id]])
    await end()
  })

  it('refunds one of them where both were paid before it was told of either', async () => {
    const { told, open, pay, pass, addOrder, state, jobs, end } = createShop()
    const opened = [await open(bitcoin), await open(xrp)]
    opened.forEach(pay)
    await pass(3 * minuteMs)
    addOrder()
    await pass(12 * minuteMs)
    expect(told.mock.calls.filter(([{ alsoPaid }]) => alsoPaid.length > 0).length).toBeGreaterThan(1)
    const [, payer] = state()
    const other = opened.find(({ id }) => id !== payer)
    expect(jobs().filter(([kind]) => kind === 'send')).toEqual([['send', payer]])
    expect(jobs().filter(([kind]) => kind === 'refund')).toEqual([['refund', other?.id]])
    await end()
  })
})

describe('the recipe for what is taken back', () => {
  it('opens an order again whose deposit was refunded', async () => {
    const { shop, told, open, pass, addOrder, state, jobs, end } = createShop()
    addOrder()
    const { id, address } = await open()
    shop.sandbox.payer.deposit({ address, amount: '0.0001' })
    await pass()
    expect(state()).toEqual(['seen', id])
    shop.sandbox.payer.completeRefund(order(shop).id)
    await pass()
    expect(told.mock.lastCall?.[0]).toMatchObject({ status: 'canceled', phase: 'ended' })
    expect([state(), jobs()]).toEqual([['open', null], []])
    await end()
  })

  it('leaves an order seen when another checkout of it ends', async () => {
    const { shop, open, deposit, pass, addOrder, state, end } = createShop()
    addOrder()
    const other = await open(xrp)
    const seen = await open(bitcoin)
    deposit(seen)
    await pass()
    const ended = shop.sandbox.orders().find(({ address }) => address === other.address)
    shop.sandbox.payer.cancel(ended?.id ?? '')
    await pass()
    expect(state()).toEqual(['seen', seen.id])
    await end()
  })

  it('does not send what is paid no longer, and can be paid again', async () => {
    const { shop, told, open, pay, pass, browse, addOrder, state, jobs, doJobs, doers, end } = createShop()
    addOrder()
    const checkout = await open()
    pay(checkout)
    await pass()
    shop.sandbox.payer.cancel(order(shop).id)
    await browse(checkout)
    expect(told.mock.lastCall?.[0]).toMatchObject({ previousStatus: 'confirmed', phase: 'ended' })
    expect([state(), jobs()]).toEqual([['open', null], []])
    await doJobs()
    expect(doers.send).not.toHaveBeenCalled()
    const next = await open(xrp)
    pay(next)
    await pass()
    expect([state(), jobs()]).toEqual([['paid', next.id], [['send', next.id]]])
    await end()
  })

  it('knows what your phases call paid', async () => {
    const { shop, told, open, deposit, pass, browse, addOrder, state, jobs, end } = createShop({}, { pending: 'paid' })
    addOrder()
    const checkout = await open()
    deposit(checkout)
    await pass()
    expect([state(), jobs()]).toEqual([['paid', checkout.id], [['send', checkout.id]]])
    shop.sandbox.payer.cancel(order(shop).id)
    await browse(checkout)
    expect(told.mock.lastCall?.[0]).toMatchObject({ previousStatus: 'pending', phase: 'ended' })
    expect([state(), jobs()]).toEqual([['open', null], []])
    await end()
  })

  it('tells a person when it was sent before', async () => {
    const { shop, open, pay, pass, browse, addOrder, state, jobs, doJobs, end } = createShop()
    addOrder()
    const checkout = await open()
    pay(checkout)
    await pass()
    await doJobs()
    shop.sandbox.payer.cancel(order(shop).id)
    await browse(checkout)
    expect([state(), jobs()]).toEqual([['sent', checkout.id], [['sent but not paid', checkout.id]]])
    await end()
  })
})

it('the page of the recipe has the file, whole and in its order', () => {
  const page = readFileSync(new URL('../../../docs/fulfilment.md', import.meta.url), 'utf8')
  const pieces = [...page.matchAll(/^```js\n(.*?)\n```$/gms)].map(([, code]) => code)
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.join('\n\n')).toBe(readFileSync(recipe, 'utf8').trimEnd())
})
