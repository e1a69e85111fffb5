/** Amounts and deadlines, from the bytes of the service's answer to the browser's. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalDecimals } from '../contract/decimal.ts'
import { parseKeyedCheckout } from '../contract/parsers.ts'
import { createVirtualClock } from '../service/virtual-clock.testing.ts'
import { createPaywindow } from './paywindow.ts'
import { cartOffer, requestOf } from './shop.testing.ts'
import { createMemoryStore } from './store/memory.ts'

const methods = {
  ether: { asset: 'ETH', network: 'erc-20', name: 'Ether' },
  newcomer: { asset: 'NEW', network: 'newchain', name: 'Newcomer' },
}
const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

/**
 * A merchant server over a service that answers a creation with exactly this JSON after
 * `latencyMs`.
 */
function serverOver(json: string, { method = methods.newcomer, latencyMs = 0, serviceAheadMs = 0 } = {}) {
  const clock = createVirtualClock()
  const sentAtMs = clock.now()
  const answering: typeof fetch = async (_, init) => {
    if (init?.method !== 'POST') return Response.json({ orders: [] })
    await clock.sleep(latencyMs)
    const date = new Date(clock.now() + serviceAheadMs).toUTCString()
    return new Response(json, { headers: { 'content-type': 'application/json', date } })
  }
  const paywindow = createPaywindow({
    service: { baseUrl: 'https://service.invalid', accessToken: 'token', subAccountId: 'sub', fetch: answering, clock },
    store: createMemoryStore(),
    offer: () => ({ ...cartOffer, methods: [method] }),
  })
  const ask = async () => {
    const answer = await paywindow.fetch(requestOf('POST', '/checkouts', { body: { reference: 'cart' } }))
    return { status: answer.status, json: (await answer.json()) as unknown }
  }
  return { clock, sentAtMs, ask: () => clock.run(ask()) }
}

const answer = (fields: string) => `{"wallet_address":"${address}","network":null,"tag":"",${fields}}`

describe('the amount', () => {
  it.each([
    ['0.10', '0.1'],
    ['1e-8', '0.00000001'],
    ['1E+3', '1000'],
    ['9007199254740993', '9007199254740993'],
    ['123456789012345678.123456789012345678', '123456789012345678.123456789012345678'],
    ['0.123456789012345678901234', '0.123456789012345678901234'],
    ['"0.000000000000000001"', '0.000000000000000001'],
  ])('%s reaches the browser as %s', async (text, expected) => {
    const { json } = await serverOver(answer(`"amount":${text}`)).ask()
    expect(parseKeyedCheckout(json).amount).toBe(expected)
  })

  it.each(['-1', '"-0.5"', '0', '0.000', '"0e5"', '1e-79', 'null', '""', '"1,5"', '"NaN"', '[1]', 'true'])(
    '%s is refused',
    async (text) => {
      expect((await serverOver(answer(`"amount":${text}`)).ask()).status).toBe(502)
    },
  )

  it('is refused when it is missing', async () => {
    expect((await serverOver(answer('"deposit":true')).ask()).status).toBe(502)
  })

  it('is refused, not cut, when it has more decimals than the asset', async () => {
    expect((await serverOver(answer('"amount":0.1234567890123456789'), { method: methods.ether }).ask()).status).toBe(
      502,
    )
    const { json } = await serverOver(answer('"amount":0.123456789012345678'), { method: methods.ether }).ask()
    expect(parseKeyedCheckout(json).amount).toBe('0.123456789012345678')
  })

  it('is compared as a decimal, whatever its value and notation', async () => {
    const digits = fc.bigInt({ min: 1n, max: 10n ** 30n }).map(String)
    const exponent = fc.integer({ min: -24, max: 6 })
    await fc.assert(
      fc.asyncProperty(digits, exponent, fc.boolean(), async (whole, power, asText) => {
        const written = `${whole}e${power}`
        const { json } = await serverOver(answer(`"amount":${asText ? `"${written}"` : written}`)).ask()
        const { amount } = parseKeyedCheckout(json)
        expect(amount).toMatch(/^\d+(\.\d+)?$/)
        expect(equalDecimals(amount, written)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

describe('the deadline', () => {
  it('is never later than 20 minutes after the service was asked, whatever the service says, however slow it is', async () => {
    const time = fc.oneof(
      fc.constant('null'),
      fc.integer({ min: -10, max: 2_000_000_000_000 }).map(String),
      fc.constantFrom(
        '1200',
        '1200000',
        '20',
        '86400',
        '"soon"',
        '"2026-11-21T10:40:00Z"',
        '"2099-01-01"',
        '1e99',
        '{}',
      ),
    )
    const hours = fc.integer({ min: -30, max: 30 }).map((count) => count * 3_600_000)
    await fc.assert(
      fc.asyncProperty(time, time, fc.nat(14_000), hours, async (expTime, dateTime, latencyMs, serviceAheadMs) => {
        const server = serverOver(answer(`"amount":1,"exp_time":${expTime},"date_time":${dateTime}`), {
          latencyMs,
          serviceAheadMs,
        })
        const { json } = await server.ask()
        const { expiresInMs } = parseKeyedCheckout(json)
        expect(server.clock.now() + expiresInMs).toBeLessThanOrEqual(server.sentAtMs + 1_200_000)
        expect(expiresInMs).toBeGreaterThan(-14_001)
      }),
      { numRuns: 100 },
    )
  })
})
