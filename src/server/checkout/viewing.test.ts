/** A link for another device: what it shows of a checkout, and what it forbids. */
import { expect, it } from 'vitest'
import { parseCheckout } from '../../contract/parsers.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import type { MerchantOffer } from '../offers.ts'
import { createPaywindow } from '../paywindow.ts'
import { createMemoryStore } from '../store/memory.ts'

/** As a shop signs it: whoever knows it opens the cart. */
const reference = 'cart 42/ä.6Jt2mZ0q_Vb-1xYw'
const methods = ['BTC bitcoin', 'XRP ripple'].map((text) => {
  const [asset = '', network = ''] = text.split(' ')
  return { asset, network, name: asset }
})

function openShop(more: Partial<MerchantOffer>) {
  const offer = { price: { asset: 'USD', amount: '49.90' }, methods, merchant: { name: 'Lantern Books' }, ...more }
  const paywindow = createPaywindow({
    service: createSandbox().access,
    store: createMemoryStore(),
    test: true,
    offer: (asked) => (asked.reference === reference ? offer : null),
    onStatusChange: null,
    onError: () => undefined,
  })
  const send = async (path: string, { key, body }: { key?: string; body?: unknown }) => {
    const headers = { 'content-type': 'application/json', ...(key && { 'paywindow-key': key }) }
    const posted = body !== undefined && { method: 'POST', body: JSON.stringify(body) }
    const answer = await paywindow.fetch(new Request(`https://shop.example/paywindow/${path}`, { headers, ...posted }))
    return { json: await answer.json(), headers: [...answer.headers] }
  }
  /** The payer's checkout, and all answers to somebody with only its id and a link. */
  async function view() {
    const body = { reference, asset: 'BTC', network: 'bitcoin' }
    const { id, key } = (await send('checkouts', { body })).json
    const { token } = (await send(`checkouts/${id}/handover`, { key, body: {} })).json
    const viewed = await send(`checkouts/${id}`, { key: token })
    const refused = [
      await send(`checkouts/${id}/renew`, { key: token, body: {} }),
      await send(`checkouts/${id}/handover`, { key: token, body: {} }),
      await send(`checkouts/${id}`, { key: id }),
    ]
    return { key, checkout: parseCheckout(viewed.json), answers: [viewed, ...refused] }
  }
  return { send, view, close: () => paywindow.close() }
}

const link = `https://shop.example/help?cart=`
it.each([
  ['nothing', {}],
  ['a link as text', { merchant: { name: 'Lantern Books', supportUrl: `${link}${encodeURIComponent(reference)}` } }],
  [
    'a link as a form',
    { merchant: { name: 'Lantern Books', supportUrl: `${link}${new URLSearchParams({ reference })}` } },
  ],
  ['a link back', { merchant: { name: 'Lantern Books', returnUrl: `${link}${encodeURIComponent(reference)}` } }],
  ['the description', { description: `Your cart ${reference}` }],
])('a viewer learns nothing that opens the cart, where the offer has the reference in %s', async (_, more) => {
  const { send, view, close } = openShop(more)
  const { key, checkout, answers } = await view()
  expect(checkout).toMatchObject({ viewOnly: true, address: expect.any(String) })
  const texts = textsIn(answers).flatMap((text) => [text, decodeURIComponent(text), ...text.split(/[ =?&]/)])
  expect(texts.length).toBeGreaterThan(30)
  for (const text of texts) {
    expect(text).not.toContain(key)
    const { json } = await send('checkouts', { body: { reference: text, asset: 'BTC', network: 'bitcoin' } })
    expect(json.error, text).toMatchObject({ code: expect.stringMatching(/^(not_offered|invalid_request)$/) })
  }
  expect(decodeURIComponent(JSON.stringify(answers).replaceAll('+', ' '))).not.toContain(reference)
  await close()
})

it('shows a viewer what the shop says of an order, and whom to ask', async () => {
  const merchant = { name: 'Lantern Books', supportUrl: 'https://shop.example/help' }
  const { view, close } = openShop({ merchant, description: 'Order 42' })
  expect((await view()).checkout).toMatchObject({ merchant, description: 'Order 42' })
  await close()
})

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
