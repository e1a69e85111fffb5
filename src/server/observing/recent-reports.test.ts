import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../contract/error-codes.testing.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { createTestShop, pay } from '../shop.testing.ts'
import { createRecentReports } from './recent-reports.ts'

describe('what a page in test mode is told', () => {
  it('is what the merchant is told of its own request, in the words of the server', async () => {
    const shop = createTestShop({ allowedOrigins: ['https://other.example'] })
    const failed = Object.assign(new Error(), { name: 'Korb ä' })
    Object.defineProperty(shop, 'offer', {
      get: () => {
        throw failed
      },
    })
    const origin = 'https://other.example'
    const { status, headers } = await shop.send('POST', '/checkouts', {
      body: { reference: 'cart-42' },
      headers: { origin },
    })
    expect(status).toBe(500)
    expect(JSON.parse(headers.get('paywindow-notes') ?? '')).toEqual([
      'callback_failed: offer threw Korb ä: see its cause',
    ])
    expect(headers.get('access-control-expose-headers')).toContain('paywindow-notes')
  })

  it('is in the answer of that request alone', async () => {
    const shop = createTestShop()
    const { offer } = shop
    shop.sells({ methods: [] })
    const read = async () => (await shop.send('GET', '/offer?reference=cart-42')).headers.get('paywindow-notes')
    expect(await read()).toContain('offer_invalid')
    shop.offer = offer
    expect(await read()).toBeNull()
  })

  it('has no words of what failed for another visitor, or in the background', async () => {
    const shop = createTestShop({
      onStatusChange: () => {
        throw new Error('no such table')
      },
    })
    const alice = await shop.open({ reference: 'alice.SIGNATURE' })
    pay(shop)
    await shop.pass(10_000)
    const notes = []
    for (const path of [`/checkouts/${alice.id}`, '/offer?reference=zzz']) {
      notes.push((await shop.send('GET', path, { key: alice.key })).headers.get('paywindow-notes'))
      await shop.settle()
      shop.offer = null
    }
    expect(notes.join()).toContain('callback_failed')
    expect(notes.join()).not.toMatch(new RegExp(`SIGNATURE|${alice.id}|threw|failed for`))
  })

  it('is nothing without test mode', async () => {
    const shop = createTestShop({ test: false })
    shop.sells({ methods: [] })
    const { status, headers } = await shop.send('GET', '/offer?reference=cart-42')
    expect(status).toBe(500)
    expect(shop.errors).toHaveLength(1)
    expect(headers.has('paywindow-notes')).toBe(false)
  })
})

describe('createRecentReports', () => {
  it('says for a minute what lasts until it is mended', () => {
    let nowMs = 0
    const reports = createRecentReports(() => nowMs)
    reports.note(new PaywindowError('nobody_watches', 'call watch()'))
    reports.note(new PaywindowError('callback_failed', 'offer threw'))
    expect(reports.header()).toBe(`["nobody_watches: call watch()","callback_failed: the server's log has the words"]`)
    nowMs = 59_999
    expect(reports.header()).toBe('["nobody_watches: call watch()"]')
    nowMs = 60_000
    expect(reports.header()).toBeUndefined()
  })

  it('says each thing once, the last ones, in a header that every server can send', () => {
    const reports = createRecentReports(() => 0)
    for (const message of ['one', 'two', 'two', 'drei\n– \u{1f4a5}', 'x'.repeat(9_000), 'five', 'six'])
      reports.note(new PaywindowError('nobody_watches', message))
    const header = reports.header() ?? ''
    expect(header).toMatch(/^[ -~]{1,2000}$/)
    expect(JSON.parse(header)).toEqual([
      'nobody_watches: one',
      'nobody_watches: two',
      'nobody_watches: drei\\u{a}– \u{1f4a5}',
      `nobody_watches: ${'x'.repeat(284)}`,
      'nobody_watches: five',
      'nobody_watches: six',
    ])
  })
})

it('a header is short enough for a proxy, whatever is in it', () => {
  const reports = createRecentReports(() => 0)
  for (let count = 0; count < 50; count++) {
    reports.note(new PaywindowError('nobody_watches', `${count} ${'ж'.repeat(400)}`))
    if (count % 10 !== 9) continue
    const header = reports.header() ?? ''
    expect(header.length).toBeLessThanOrEqual(2_000)
    expect(JSON.parse(header).at(-1)).toContain(`: ${count} `)
  }
})

it.each(errorCodes)('%s: no id and no words of the service reach a browser, also in test mode', (code) => {
  const reports = createRecentReports(() => 0)
  reports.note(new PaywindowError(code, 'order 7d0c. The service said: "secret"'))
  const lasting = ['events_waiting', 'nobody_watches', 'clock_differs', 'token_unencrypted']
  if (code === 'clients_look_alike') expect(reports.header()).toBeUndefined()
  else if (!lasting.includes(code))
    expect(reports.header()).toBe(JSON.stringify([`${code}: the server's log has the words`]))
  const own = new PaywindowError(code, 'order 7d0c of the own request')
  const isOwn = ['offer_invalid', 'callback_failed'].includes(code)
  expect(reports.header(own)?.includes('own request') ?? false).toBe(isOwn)
})
