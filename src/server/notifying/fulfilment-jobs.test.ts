/** The jobs of the recipe in docs/fulfilment.md. */
import { describe, expect, it, vi } from 'vitest'
import { mute } from '../following/binding.testing.ts'
import { createShop } from './fulfilment.testing.ts'

const minuteMs = 60_000

vi.spyOn(console, 'error').mockImplementation(() => undefined)

describe('the jobs of the recipe', () => {
  it('sends a parcel once, however many loops do the jobs', async () => {
    const { open, pay, pass, addOrder, jobs, doJobs, doers, end } = createShop()
    addOrder()
    pay(await open())
    await pass()
    const sent = Promise.withResolvers<void>()
    doers.send.mockReturnValueOnce(sent.promise)
    const loops = [doJobs(), doJobs()]
    await doJobs()
    sent.resolve()
    await Promise.all(loops)
    expect(jobs()).toEqual([])
    expect(doers.send).toHaveBeenCalledTimes(1)
    await end()
  })

  it('writes down an order that could not be found, once', async () => {
    const { shop, open, pass, addOrder, jobs, end } = createShop({ ...mute, appearAfterMs: () => 500 })
    addOrder()
    const checkout = await open()
    shop.sandbox.addOrder({ sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount: '49.90' })
    await pass(12 * minuteMs)
    expect(shop.errors.map(({ code }) => code)).toContain('order_unresolved')
    expect(jobs()).toEqual([['order_unresolved', checkout.id]])
    await end()
  })

  it('goes on with the other jobs when one fails, and tries it again', async () => {
    const { payTwice, addOrder, jobs, doJobs, doers, end } = createShop()
    addOrder()
    const { first } = await payTwice()
    doers.send.mockRejectedValueOnce(new Error('no parcel service'))
    await doJobs()
    expect(jobs()).toEqual([['send', first.id]])
    expect(doers.refund).toHaveBeenCalledTimes(1)
    await doJobs()
    expect([jobs(), doers.send.mock.calls.length]).toEqual([[], 2])
    await end()
  })
})
