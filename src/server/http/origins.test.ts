import { describe, expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'

describe('the origin of a page', () => {
  it('may be the same or an allowed one, whose preflight is answered', async () => {
    const shop = createTestShop({ allowedOrigins: ['https://store.example'] })
    const body = { reference: 'a' }
    expect(await shop.send('POST', '/checkouts', { body, headers: { 'sec-fetch-site': 'same-origin' } })).toMatchObject(
      { status: 200 },
    )
    expect(
      await shop.send('POST', '/checkouts', {
        body,
        headers: { origin: 'https://shop.example', host: 'shop.example' },
      }),
    ).toMatchObject({ status: 200 })
    const answer = await shop.send('POST', '/checkouts', {
      body,
      headers: { origin: 'https://store.example', 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://store.example')
    const preflight = await shop.send('OPTIONS', '/checkouts', { headers: { origin: 'https://evil.example' } })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each(['shop.example:443', 'SHOP.example', 'shop.example'])('is its own at the host %s', async (host) => {
    const headers = { origin: 'https://shop.example', host }
    const answer = await createTestShop().send('POST', '/checkouts', { body: { reference: 'a' }, headers })
    expect(answer.status).toBe(200)
  })

  it.each(['shop.example:444', 'shop.example.evil', ''])('is not its own at the host "%s"', async (host) => {
    const headers = { origin: 'https://shop.example', host }
    const answer = await createTestShop().send('POST', '/checkouts', { body: { reference: 'a' }, headers })
    expect(answer.status).toBe(403)
  })
})
