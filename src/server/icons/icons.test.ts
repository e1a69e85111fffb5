import { describe, expect, it } from 'vitest'
import { recording } from '../../testing/store-around.testing.ts'
import { bitcoin, createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createIcons, type IconFetch } from './icons.ts'

const ether = { asset: 'ETH', network: 'erc-20', name: 'Ether' }

/** Icons of a host that is a function, on a manual clock. */
function iconsOf(host: IconFetch) {
  const clock = { nowMs: 1_000_000 }
  const asked: string[] = []
  const iconAt = createIcons({
    fetch: (url, init) => {
      asked.push(url)
      return host(url, init)
    },
    trustedOrigin: 'https://service.example',
    trustedFetch: host,
    now: () => clock.nowMs,
    sleep: () => new Promise(() => undefined),
  })
  const text = async (...place: Parameters<typeof iconAt>) => (await iconAt(...place)).text()
  return { iconAt, text, asked, clock }
}

const image = (text: string) => new Response(text, { headers: { 'content-type': 'image/png' } })
/** One path for all pictures, as of a host that is asked for them by the query. */
const byQuery: IconFetch = async (url) => image(new URL(url).searchParams.get('asset') ?? '')
const url = (query: string) => `https://cdn.example/icon?${query}`

describe('icons', () => {
  it('belong to their asset, where the query selects the picture', async () => {
    const { text } = iconsOf(byQuery)
    expect(await text({ method: bitcoin, url: url('asset=BTC') })).toBe('BTC')
    expect(await text({ method: ether, url: url('asset=ETH') })).toBe('ETH')
    expect(await text({ method: { ...ether, network: 'arbitrum' }, url: url('asset=ETH on Arbitrum') })).toBe(
      'ETH on Arbitrum',
    )
  })

  it('are fetched once, however the URL is signed and however many ask at once', async () => {
    const { text, asked, clock } = iconsOf(byQuery)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => text({ method: bitcoin, url: url(`X-Amz-Signature=${at}`) })),
    )
    expect(asked).toHaveLength(1)
    clock.nowMs += 24 * 3_600_000 + 1
    await text({ method: bitcoin, url: url('X-Amz-Signature=later') })
    expect(asked).toHaveLength(2)
  })

  it('are not requested again from the same URL for a minute after their host failed', async () => {
    let fails = true
    const { iconAt, text, asked, clock } = iconsOf(async (...ask) =>
      fails ? new Response('no', { status: 500 }) : byQuery(...ask),
    )
    for (let at = 0; at < 50; at++)
      await expect(iconAt({ method: bitcoin, url: url('asset=old') })).rejects.toMatchObject({ code: 'not_found' })
    expect(asked).toHaveLength(1)
    fails = false
    // A URL that was signed anew may work where an old one has run out.
    expect(await text({ method: bitcoin, url: url('asset=new') })).toBe('new')
    expect(await text({ method: bitcoin, url: url('asset=old') })).toBe('new')
    clock.nowMs += 60_001
    expect(asked).toHaveLength(2)
  })

  it('are fetched at most sixteen at once and 120 times a minute, whatever visitors request', async () => {
    let under = 0
    let most = 0
    const { iconAt, asked, clock } = iconsOf(async () => {
      most = Math.max(most, ++under)
      await new Promise((resolve) => setTimeout(resolve, 1))
      under--
      return image('x')
    })
    const wave = (from: number) =>
      Promise.allSettled(
        Array.from({ length: 40 }, (_, at) => iconAt({ method: bitcoin, url: `https://cdn.example/${from + at}` })),
      )
    for (let from = 0; from < 1_000; from += 40) await wave(from)
    expect(most).toBe(16)
    expect(asked).toHaveLength(120)
    clock.nowMs += 60_000
    await wave(2_000)
    expect(asked).toHaveLength(136)
  })
})

describe('the icons of an offer', () => {
  const methods = [
    { ...bitcoin, icon: url('asset=BTC') },
    { ...ether, icon: url('asset=ETH') },
  ]

  it('leave nothing in the store, and another server that has answered with the method finds them', async () => {
    const shop = createTestShop({ iconFetch: byQuery })
    const { store, written } = recording(createMemoryStore())
    const other = createTestShop({ iconFetch: byQuery, beside: { shop, store } })
    shop.sells({ methods })
    other.sells({ methods })
    const read = await shop.readOffer()
    await other.readOffer()
    // The account of the store, once.
    expect(written).toMatchObject([{ key: 'account' }])
    const fresh = createTestShop({ iconFetch: byQuery })
    fresh.sells({ methods })
    await fresh.send('POST', '/offer', { body: { reference: 'another cart' } })
    for (const [at, { icon = '' }] of read.methods.entries()) {
      expect(icon).toMatch(/^icons\/[\w-]{1,94}$/)
      const answer = await fresh.run(fresh.paywindow.fetch(new Request(`https://shop.example/${icon}`)))
      expect(await answer.text()).toBe(['BTC', 'ETH'][at])
    }
  })

  it('are served only by names that the server has given', async () => {
    const shop = createTestShop({ iconFetch: byQuery })
    shop.sells({ methods })
    await shop.readOffer()
    for (const name of [`${'0'.repeat(24)}-Y2FydC00Mg`, `${'0'.repeat(24)}-`, 'a', '0'.repeat(94)])
      expect(await shop.send('GET', `/icons/${name}`), name).toMatchObject({ status: 404 })
  })

  it('have names of a widget of before, with the reference behind them', async () => {
    const shop = createTestShop({ iconFetch: byQuery })
    shop.sells({ methods })
    const icon = (await shop.readOffer()).methods[0]?.icon ?? ''
    const answer = await shop.run(shop.paywindow.fetch(new Request(`https://shop.example/${icon}Y2FydC00Mg`)))
    expect(await answer.text()).toBe('BTC')
  })
})
