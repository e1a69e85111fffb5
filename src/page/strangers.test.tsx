/** The table of SECURITY.md, cell by cell. */
import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestShop } from '../server/shop.testing.ts'
import { createPageShop, linked } from './shop.testing.ts'

/**
 * What a stranger sends to see or do something; the texts of all answers, and how many orders were
 * created by it.
 */
interface Tried {
  readonly text: string
  readonly created: number
}

const payPage = '/pay'
let shop: TestShop
let id: string
let address: string
let with_: Record<
  string,
  { readonly headers: Record<string, string>; readonly search: string; readonly mayPress: boolean }
>

beforeAll(() => import('./index.ts'))
beforeEach(async () => {
  shop = createPageShop({
    ...linked,
    admits: ({ link, request }) => link !== undefined || request.headers.get('cookie') === 'session=own',
  })
  const session = { cookie: 'session=own' }
  const opened = await shop.send('POST', '/checkouts', {
    body: { reference: 'cart-42', asset: 'BTC', network: 'bitcoin' },
    headers: session,
  })
  id = String(opened.json.id)
  address = String(opened.json.address)
  const key = String(opened.json.key)
  const token = String((await shop.send('POST', `/checkouts/${id}/handover`, { key, body: {} })).json.token)
  const { url } = await shop.paywindow.link({ reference: 'cart-42', validForMs: 3_600_000 })
  const { search } = new URL(url)
  const first = await shop.run(shop.paywindow.fetch(new Request(url)))
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  with_ = {
    'reference alone': { headers: {}, search: '?reference=cart-42', mayPress: true },
    'link, previewed': { headers: {}, search, mayPress: false },
    'link, opened': { headers: { cookie }, search, mayPress: true },
    'handover link': { headers: { 'paywindow-key': token }, search: '', mayPress: true },
    'key alone': { headers: { 'paywindow-key': key }, search: '', mayPress: true },
  }
})

/** Sends everything that there is with what a stranger has. */
async function tryAll(who: string, press?: (send: typeof request, keyed: boolean) => Promise<string>): Promise<Tried> {
  const stranger = with_[who]
  if (!stranger) throw new Error(`nobody is ${who}`)
  const before = shop.creations()
  const isKeyed = 'paywindow-key' in stranger.headers
  let text = ''
  if (press) text = stranger.mayPress ? await press(request, isKeyed) : ''
  else {
    text += await request(`${payPage}${stranger.search}`)
    if (isKeyed) text += await request(`/checkouts/${id}`)
    else if (stranger.mayPress)
      text +=
        (await request('/offer', { reference: 'cart-42' })) + (await request('/checkouts', { reference: 'cart-42' }))
  }
  return { text, created: shop.creations() - before }

  async function request(path: string, body?: object | URLSearchParams): Promise<string> {
    const isForm = body instanceof URLSearchParams
    const init = body && {
      method: 'POST',
      body: isForm ? body : JSON.stringify(body),
      headers: { ...stranger?.headers, ...(!isForm && { 'content-type': 'application/json' }) },
    }
    const url = `https://shop.example/paywindow${path}`
    const answer = await shop.run(shop.paywindow.fetch(new Request(url, init ?? { headers: stranger?.headers ?? {} })))
    return `${answer.status} ${await answer.text()}`
  }
}

/** The payer pays, and the shop sees it. */
async function deposit(): Promise<void> {
  const { amount } = shop.sandbox.orders().map(({ sourceAmount }) => ({ amount: sourceAmount }))[0] ?? {}
  shop.sandbox.payer.deposit({ address, amount: amount ?? '' })
  for (let at = 0; at < 3; at += 1) {
    await shop.pass(15_000)
    await shop.send('GET', `/checkouts/${id}`, { key: with_['key alone']?.headers['paywindow-key'] ?? '' })
  }
}

const can: Readonly<Record<string, (who: string) => Promise<boolean>>> = {
  'who is paid, and how much': async (who) => /Lantern Books/.test((await tryAll(who)).text),
  // Before a deposit, and after it.
  'address, tag and amount to send': async (who) => {
    const before = (await tryAll(who)).text.includes(address)
    await deposit()
    const after = (await tryAll(who)).text.includes(address)
    expect(after).toBe(before)
    return before
  },
  'whether a deposit was seen': async (who) => {
    await deposit()
    return /"(phase|cart)":"seen"/.test((await tryAll(who)).text)
  },
  'the reference': async (who) => who === 'reference alone' || (await tryAll(who)).text.includes('cart-42'),
  'choose a coin, which creates an order': async (who) => {
    const form = new URLSearchParams({ act: 'choose XRP ripple' })
    const { created } = await tryAll(who, async (send, isKeyed) => {
      const search = with_[who]?.search ?? ''
      return isKeyed
        ? send(`/checkouts`, { reference: id, asset: 'XRP', network: 'ripple' })
        : send(`${payPage}${search}`, form)
    })
    return created > 0
  },
  'get a new price': async (who) => {
    await shop.pass(21 * 60_000)
    const { created } = await tryAll(who, (send, isKeyed) =>
      isKeyed
        ? send(`/checkouts/${id}/renew`, {})
        : send(`${payPage}${with_[who]?.search}`, new URLSearchParams({ act: 'renew', id })),
    )
    return created > 0
  },
  'hand over to another device': async (who) => {
    const { text } = await tryAll(who, async (send, isKeyed) => {
      const opened = isKeyed ? '' : await send('/checkouts', { reference: 'cart-42' })
      const key = /"key":"([^"]+)"/.exec(opened)?.[1]
      if (key === undefined) return send(`/checkouts/${id}/handover`, {})
      const { json } = await shop.send('POST', `/checkouts/${id}/handover`, { key, body: {} })
      return JSON.stringify(json)
    })
    return text.includes('"token"')
  },
}

const security = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')
const [head = [], , ...rows] = [...security.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
  row.split('|').map((cell) => cell.trim()),
)
const cells = rows.flatMap(([what = '', ...answers]) =>
  answers.map((answer, at) => [head[at + 1] ?? '', what, answer] as const),
)

it('the table has every cell', () => {
  expect(cells).toHaveLength(35)
  expect([...new Set(cells.map(([, what]) => what))]).toEqual(Object.keys(can))
})

it.each(cells)('with %s: %s: %s', async (who, what, answer) => {
  expect(await can[what]?.(who)).toBe(answer === 'yes')
})
