// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { type UsePaywindowOptions, usePaywindow } from './index.ts'
import { openShop, pass, seen } from './widget.testing.tsx'

const shop = openShop()

async function use(options: Partial<UsePaywindowOptions> = {}) {
  let renders = 0
  const hook = renderHook(() => {
    renders += 1
    return usePaywindow({ endpoint: '/paywindow', reference: 'cart-42', fetch: shop.merchant.fetch, ...options })
  })
  await pass(0)
  return { ...hook, renders: () => renders }
}

describe('usePaywindow', () => {
  it('returns the view and actions that stay the same', async () => {
    const { result } = await use()
    const { renew, onTick } = result.current
    expect(result.current.view).toMatchObject({ kind: 'waiting', checkout: { address: shop.checkout.address } })
    shop.answerWith(seen)
    await pass(6000)
    expect(result.current.view.kind).toBe('seen')
    expect(result.current.renew).toBe(renew)
    expect(result.current.onTick).toBe(onTick)
  })

  it('draws nothing for ticks and for polls that bring nothing new', async () => {
    const { renders } = await use()
    const before = renders()
    await pass(60_000)
    expect(shop.merchant.requests.length).toBeGreaterThan(10)
    expect(renders()).toBe(before)
  })

  it('ticks once a second with the time left, from the moment the request was sent', async () => {
    const answer = Promise.withResolvers<void>()
    shop.merchant.on('POST /checkouts', async () => {
      await answer.promise
      return { json: { ...checkoutFixture({ expiresInMs: 60_000 }), key: 'k' } }
    })
    const { result } = await use()
    await pass(2000)
    answer.resolve()
    await pass(0)
    expect(result.current.timeLeftMs()).toBe(58_000)
    const ticks: number[] = []
    const stop = result.current.onTick((leftMs) => ticks.push(Math.round(leftMs / 1000)))
    await pass(3000)
    stop()
    await pass(3000)
    expect(ticks).toEqual([58, 58, 57, 56])
  })

  it('leaves nothing secret in a query cache that it was lent, and takes its entry away', async () => {
    const queryClient = new QueryClient()
    const { unmount } = await use({ queryClient })
    await pass(5000)
    const cached = JSON.stringify(
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ queryKey, state }) => [queryKey, state]),
    )
    expect(cached).toContain(shop.checkout.address)
    expect(cached).not.toContain('key-of-the-payer')
    unmount()
    await pass(2000)
    expect(queryClient.getQueryCache().getAll()).toEqual([])
  })
})
