/** A link for another device: what it shows of a checkout, and what it forbids. */
import { expect, it } from 'vitest'
import { parseCheckout } from '../../contract/parsers.ts'
import type { MerchantOffer } from '../offers.ts'
import { bitcoin, createTestShop, type TestShop, xrp } from '../shop.testing.ts'

/** As a shop signs it: whoever knows it opens the cart. */
const reference = 'cart 42/ä.6Jt2mZ0q_Vb-1xYw'

function openShop(more: Partial<MerchantOffer>) {
  const shop = createTestShop({ admits: (asked) => asked.reference === reference })
  shop.sells({ methods: [bitcoin, xrp], ...more })
  const send = async (...request: Parameters<TestShop['send']>) => {
    const { json, headers } = await shop.send(...request)
    return { json, headers: [...headers] }
  }
  /** The payer's checkout, and all answers to somebody with only its id and a link. */
  async function view() {
    const { id, key } = await shop.open({ reference, asset: 'BTC', network: 'bitcoin' })
    const handover = await send('POST', `/checkouts/${id}/handover`, { key, body: {} })
    const token = String(handover.json.token)
    const viewed = await send('GET', `/checkouts/${id}`, { key: token })
    const refused = [
      await send('POST', `/checkouts/${id}/renew`, { key: token, body: {} }),
      await send('POST', `/checkouts/${id}/handover`, { key: token, body: {} }),
      await send('GET', `/checkouts/${id}`, { key: id }),
    ]
    return { key, checkout: parseCheckout(viewed.json), answers: [viewed, ...refused] }
  }
  return { send, view }
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
  const { send, view } = openShop(more)
  const { key, checkout, answers } = await view()
  expect(checkout).toMatchObject({ viewOnly: true, address: expect.any(String) })
  const texts = textsIn(answers).flatMap((text) => [text, decodeURIComponent(text), ...text.split(/[ =?&]/)])
  expect(texts.length).toBeGreaterThan(30)
  for (const text of texts) {
    expect(text).not.toContain(key)
    const { json } = await send('POST', '/checkouts', { body: { reference: text, asset: 'BTC', network: 'bitcoin' } })
    expect(json.error, text).toMatchObject({ code: expect.stringMatching(/^(not_offered|invalid_request)$/) })
  }
  expect(decodeURIComponent(JSON.stringify(answers).replaceAll('+', ' '))).not.toContain(reference)
})

it('shows a viewer what the shop says of an order, and whom to ask', async () => {
  const merchant = { name: 'Lantern Books', supportUrl: 'https://shop.example/help' }
  const { view } = openShop({ merchant, description: 'Order 42' })
  expect((await view()).checkout).toMatchObject({ merchant, description: 'Order 42' })
})

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
