/** The Worker of docs/workers.md in workerd: its code, its settings, and the built package. */
import { expect, test } from '@playwright/test'
import { Miniflare, type Request, Response } from 'miniflare'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { bundleDocumentedWorker } from './worker-bundle.ts'

const place = 'https://shop.example/paywindow'

test('a Worker creates an order over HTTP, sees it paid, and tells it when its cron trigger fires', async () => {
  const sandbox = createSandbox()
  const told: { reference: string; phase: string; eventId: string }[] = []
  const worker = await startWorker(sandbox, (body) => told.push(JSON.parse(body)))
  try {
    const headers = { 'content-type': 'application/json' }
    const open = (reference: string) =>
      worker.dispatchFetch(`${place}/checkouts`, { method: 'POST', headers, body: JSON.stringify({ reference }) })
    expect((await open('cart-of-another')).status).toBe(404)

    // Two tabs: each request has its own server in the Worker, and D1 lets them make one order.
    const [created, again] = await Promise.all([open('cart-42'), open('cart-42')])
    const checkout = (await created.json()) as { id: string; key: string; address: string; phase: string }
    expect(checkout).toMatchObject({ phase: 'waiting', address: expect.stringMatching(/^tb1/) })
    expect(await again.json()).toMatchObject({ id: checkout.id, key: checkout.key, address: checkout.address })
    expect(sandbox.orders()).toHaveLength(1)

    const [order] = sandbox.orders()
    if (order === undefined) throw new Error('no order')
    sandbox.payer.deposit({ address: checkout.address, asset: 'BTC', network: 'bitcoin', amount: order.sourceAmount })
    sandbox.payer.confirm(order.id)
    const paid = () => told.filter(({ phase }) => phase === 'paid')
    await expect
      .poll(
        async () => {
          expect(await fireCron(worker)).toBe('ok')
          return paid().length
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    expect(paid()).toEqual([expect.objectContaining({ reference: 'cart-42', checkout: expect.anything() })])

    const polled = await worker.dispatchFetch(`${place}/checkouts/${checkout.id}`, {
      headers: { 'paywindow-key': checkout.key },
    })
    expect(await polled.json()).toMatchObject({ phase: 'paid' })
    // Nothing is told twice, whoever asks.
    expect(await fireCron(worker)).toBe('ok')
    expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(told.length)
  } finally {
    await worker.dispose()
  }
})

/** Does what Cloudflare does every minute. Resolves with how it ended. */
async function fireCron(worker: Miniflare): Promise<string> {
  // Miniflare has the types of another package, which is not needed for more.
  const events = (await worker.getWorker()) as unknown as { scheduled(event: object): Promise<{ outcome: string }> }
  return (await events.scheduled({ cron: '* * * * *' })).outcome
}

/** What the Worker asks for goes to the sandbox, or to the shop that it tells. */
async function startWorker(sandbox: Sandbox, tell: (body: string) => void): Promise<Miniflare> {
  const { script, settings } = await bundleDocumentedWorker(test.info().outputPath())
  const { baseUrl, accessToken, subAccountId } = sandbox.access
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: script }],
    compatibilityDate: settings.compatibility_date,
    d1Databases: settings.d1_databases.map(({ binding }) => binding),
    bindings: {
      ...settings.vars,
      SERVICE_URL: baseUrl,
      ACCESS_TOKEN: accessToken,
      SUB_ACCOUNT_ID: subAccountId,
      TEST_MODE: 'yes',
    },
    outboundService: async (request: Request) => {
      const body = request.method === 'GET' ? undefined : await request.text()
      if (request.url === 'https://shop.example/told') {
        tell(body ?? '')
        return new Response(null, { status: 204 })
      }
      const { method, url } = request
      const headers = [...request.headers]
      const answer = await sandbox.fetch(url, { method, headers, ...(body !== undefined && { body }) })
      return new Response(await answer.text(), { status: answer.status, headers: [...answer.headers] })
    },
  })
  await worker.ready
  return worker
}
