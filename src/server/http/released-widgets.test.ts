/**
 * Widgets that were released go on paying at today's server: browsers keep a script for hours, and
 * pages stay open for days.
 */
import { describe, expect, it } from 'vitest'
import { allNetworks } from '../../contract/networks/table.ts'
import { type AnswerKind, unreadableForV1 } from '../../contract/released/schema.testing.ts'
import { bitcoin, createTestShop, order, type TestShop, xrp } from '../shop.testing.ts'

/** The requests of the first widget, letter by letter. */
function widgetOfV1(shop: TestShop) {
  const ask = async (kind: AnswerKind, ...request: Parameters<TestShop['send']>) => {
    const answer = await shop.send(...request)
    expect([answer.status, unreadableForV1(kind, answer.json)]).toEqual([kind === 'error' ? answer.status : 200, []])
    return answer
  }
  const keyed = (key: unknown) => ({ 'paywindow-key': String(key) })
  const json = { 'content-type': 'application/json' }
  const post = (kind: AnswerKind, path: string, body: string, headers: Record<string, string> = {}) =>
    ask(kind, 'POST', path, { body, headers: { ...json, ...headers } })
  return {
    open: (kind: AnswerKind) => post(kind, '/checkouts', '{"reference":"cart-42"}'),
    choose: () => post('keyedCheckout', '/checkouts', '{"reference":"cart-42","asset":"XRP","network":"ripple"}'),
    offer: () => ask('offer', 'GET', '/offer?reference=cart-42&t=1795600000000'),
    poll: (id: unknown, key: unknown, kind: AnswerKind = 'checkout') =>
      ask(kind, 'GET', `/checkouts/${id}?t=1795600005000`, { headers: keyed(key) }),
    pollAgain: (id: unknown, key: unknown, etag: string) =>
      shop.send('GET', `/checkouts/${id}?t=1795600010000`, { headers: { ...keyed(key), 'if-none-match': etag } }),
    renew: (id: unknown, key: unknown) => post('keyedCheckout', `/checkouts/${id}/renew`, '{}', keyed(key)),
    handOver: (id: unknown, key: unknown) => post('handover', `/checkouts/${id}/handover`, '{}', keyed(key)),
  }
}

function shopWith(methods: readonly (typeof bitcoin)[]): TestShop {
  const shop = createTestShop()
  shop.offer = shop.offer && { ...shop.offer, methods: [...methods] }
  return shop
}

describe('a widget of version 1', () => {
  it('pays, with a choice, a tag, a new quote and a second device', async () => {
    const shop = shopWith([bitcoin, xrp])
    const widget = widgetOfV1(shop)
    await widget.open('choice')
    const { id, key } = (await widget.choose()).json
    const { json, headers } = await widget.poll(id, key)
    expect(json).toMatchObject({ phase: 'waiting', tag: expect.stringMatching(/^\d+$/) })
    expect((await widget.pollAgain(id, key, headers.get('etag') ?? '')).status).toBe(304)
    await widget.offer()
    const { token } = (await widget.handOver(id, key)).json
    expect((await widget.poll(id, token)).json).toMatchObject({ viewOnly: true })

    await shop.pass(21 * 60_000)
    const renewed = (await widget.renew(id, key)).json
    expect(renewed.id).not.toBe(id)
    const { address, tag, sourceAmount, id: orderId } = order(shop, 1)
    shop.sandbox.payer.deposit({ address: address ?? '', tag, asset: 'XRP', network: 'ripple', amount: sourceAmount })
    await shop.pass(5_000)
    expect((await widget.poll(renewed.id, renewed.key)).json).toMatchObject({ phase: 'seen' })
    shop.sandbox.payer.confirm(orderId)
    await shop.pass(5_000)
    expect((await widget.poll(renewed.id, renewed.key)).json).toMatchObject({ phase: 'paid', cart: 'paid' })
    await widget.offer()
  })

  it('reads errors', async () => {
    const shop = createTestShop()
    const { id } = (await widgetOfV1(shop).open('keyedCheckout')).json
    const refused = await widgetOfV1(shop).poll(id, 'another', 'error')
    expect([refused.status, refused.json]).toMatchObject([404, { error: { code: 'not_found' } }])
  })

  it('reads every network that there is', async () => {
    const methods = allNetworks().map(({ kind, name }) => ({ asset: 'X', network: kind, name }))
    const { json } = await widgetOfV1(shopWith(methods)).offer()
    expect(json.methods).toHaveLength(methods.length)
  })
})
