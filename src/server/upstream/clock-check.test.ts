import { describe, expect, it } from 'vitest'
import type { PaywindowError } from '../../contract/errors.ts'
import { checkOptions } from '../options.ts'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createClockCheck } from './service-gate.ts'

/** A server whose clock is ahead of the service's by as much. */
function checkAhead(aheadMs: number | null, baseUrl = 'https://service.example') {
  const errors: PaywindowError[] = []
  let nowMs = 1_800_000_000_000
  const settings = checkOptions({
    service: { baseUrl, accessToken: 'token', subAccountId: 'sub-1' },
    offer: () => null,
    store: createMemoryStore(),
    onError: (error) => errors.push(error),
  })
  const time = () => ({ nowMs, serviceNowMs: aheadMs === null ? null : nowMs - aheadMs })
  const check = createClockCheck(baseUrl, settings.report, time)
  const said = (ms: number) => {
    nowMs += ms
    check()
    return errors.map(({ code, message }) => `${code}: ${message}`)
  }
  return said
}

describe('a clock that is wrong', () => {
  it.each([
    [95_000, '95 s ahead of'],
    [-3_600_000, '3600 s behind'],
  ])('by %d ms is reported once an hour', (aheadMs, words) => {
    const said = checkAhead(aheadMs)
    expect(said(0)).toEqual([
      `clock_differs: This server's clock is ${words} the service's. Keep it in step (NTP): quotes may end early`,
    ])
    expect(said(3_599_000)).toHaveLength(1)
    expect(said(1_000)).toHaveLength(2)
  })

  it.each([0, 30_000, -30_000, null])('is none that differs by %s ms', (aheadMs) => {
    expect(checkAhead(aheadMs)(0)).toEqual([])
  })

  it('is noticed when payers come', async () => {
    const shop = createTestShop({ sandbox: { dateAheadMs: 120_000 } })
    await shop.open()
    await shop.pass(120_000)
    await shop.readOffer()
    expect(shop.errors).toMatchObject([{ code: 'clock_differs', message: expect.stringContaining('120 s behind') }])
  })

  it('is noticed, too, by a process that only watches, or does a scheduled job', async () => {
    const shop = createTestShop({ sandbox: { dateAheadMs: 120_000 } })
    const watching = shop.paywindow.watch()
    await shop.pass(60_000)
    await shop.run(watching.stop())
    const job = createTestShop({ sandbox: { dateAheadMs: 120_000 } })
    await job.run(job.paywindow.watchOnce())
    for (const { errors } of [shop, job]) expect(errors.map(({ code }) => code)).toEqual(['clock_differs'])
  })

  it('is none of a service on the same machine, which is a sandbox that moves its own', () => {
    expect(checkAhead(95_000, 'http://localhost:4300')(0)).toEqual([])
  })
})
