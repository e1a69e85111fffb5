import { describe, expect, it } from 'vitest'
import { createTestShop, order } from '../shop.testing.ts'
import { type Health, healthHandler } from './health.ts'

const health: Health = {
  isReady: true,
  isWatched: true,
  canDeliver: true,
  service: { answeredAt: null, refusingSince: null },
  backlog: null,
}

function ask(path: string, method = 'GET', isReady = true) {
  let reads = 0
  const handle = healthHandler({
    health: async () => {
      reads += 1
      return { ...health, isReady }
    },
  })
  return handle(new Request(`https://shop.example/a/health${path}`, { method })).then(async (response) => ({
    status: response.status,
    text: await response.text(),
    cached: response.headers.get('cache-control'),
    reads,
  }))
}

describe('healthHandler', () => {
  it('says that the process is alive without reading anything', async () => {
    expect(await ask('/live')).toEqual({ status: 200, text: '{"isAlive":true}', cached: 'no-store', reads: 0 })
  })

  it.each([
    [true, 200],
    [false, 503],
  ])('says whether the process is ready: %j', async (isReady, status) => {
    const answer = await ask('/ready', 'GET', isReady)
    expect(answer).toMatchObject({ status, cached: 'no-store' })
    expect(JSON.parse(answer.text)).toEqual({ ...health, isReady })
  })

  it.each([
    ['/ready', 'POST', 405],
    ['/live', 'DELETE', 405],
    ['/', 'GET', 404],
    ['/readyx', 'GET', 404],
    ['/live', 'HEAD', 200],
    // Some hosts put a slash behind every path.
    ['/live/', 'GET', 200],
    ['/live//', 'GET', 404],
  ])('answers %s %s with %j', async (path, method, status) => {
    expect(await ask(path, method)).toMatchObject({ status, reads: 0 })
  })

  it('shows no secret, no id and no reference', async () => {
    const shop = createTestShop({ hasCallback: false })
    const { id, key } = await shop.open()
    await shop.settle()
    shop.sandbox.faults = () => ({ kind: 'status', status: 401, message: 'words of the service' })
    await shop.pass(10_000)
    await shop.send('GET', `/checkouts/${id}`, { key })
    const answer = await shop.run(healthHandler(shop.paywindow)(new Request('https://shop.example/ready')))
    const text = await answer.text()
    expect(text).toContain('"refusingSince":"2026')
    const { accessToken, subAccountId } = shop.sandbox.access
    for (const secret of [accessToken, subAccountId, id, key, order(shop).id, 'cart-42', 'words', '401'])
      expect(text).not.toContain(secret)
  })
})
