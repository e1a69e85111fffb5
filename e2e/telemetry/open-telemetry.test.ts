import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTelemetry } from '../../src/opentelemetry/open-telemetry.ts'
import { createTestShop, order, type TestShop } from '../../src/server/shop.testing.ts'
import { createMemoryStore } from '../../src/server/store/memory.ts'
import { createScraped, type Scraped, samplesOf } from './scrape.ts'

let scraped: Scraped
beforeEach(async () => {
  scraped = await createScraped()
})
afterEach(() => scraped.close())

/** The values of a metric, by the labels that are named. */
async function valuesOf(name: string, ...labels: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const samples = samplesOf(await scraped.scrape()).filter((sample) => sample.name === name)
  return Object.fromEntries(
    samples.map((sample) => [labels.map((label) => sample.labels[label]).join(' '), sample.value]),
  )
}

async function pay(shop: TestShop): Promise<void> {
  const { id, address, sourceAmount } = order(shop)
  shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount })
  await shop.pass(5_000)
  shop.sandbox.payer.confirm(id)
}

async function sell(shop: TestShop) {
  const checkout = await shop.open()
  await shop.settle()
  await pay(shop)
  await shop.pass(5_000)
  await shop.poll(checkout)
  await shop.settle()
  return checkout
}

describe('the metrics of a server', () => {
  it('count the life of a checkout, and measure how long each part took', async () => {
    const shop = createTestShop({ telemetry: scraped.telemetry })
    await sell(shop)
    expect(await valuesOf('paywindow_checkout_created_total', 'paywindow_asset', 'paywindow_network')).toEqual({
      'BTC bitcoin': 1,
    })
    expect(await valuesOf('paywindow_checkout_payable_total')).toEqual({ '': 1 })
    expect(await valuesOf('paywindow_checkout_bound_duration_count')).toEqual({ '': 1 })
    expect(await valuesOf('paywindow_checkout_status_changes_total', 'paywindow_status', 'paywindow_phase')).toEqual({
      'confirmed paid': 1,
    })
    expect(await valuesOf('paywindow_checkout_paid_duration_sum')).toEqual({ '': expect.closeTo(10, 0) })
    expect(await valuesOf('paywindow_change_delivered_duration_count', 'paywindow_status')).toEqual({
      confirmed: 1,
    })
    expect(Object.values(await valuesOf('paywindow_errors_total')).every((value) => value === 0)).toBe(true)
  })

  it('count errors by code, and begin at zero where an alarm waits for the first', async () => {
    expect(await valuesOf('paywindow_errors_total', 'error_type')).toMatchObject({ order_unresolved: 0, paid_twice: 0 })
    const shop = createTestShop({ telemetry: scraped.telemetry, sandbox: { appearAfterMs: () => 86_400_000 } })
    const watching = shop.paywindow.watch()
    await shop.open()
    await shop.pass(30 * 60_000)
    await shop.run(watching.stop())
    expect(shop.errors.map(({ code }) => code)).toEqual(['order_unresolved'])
    expect(await valuesOf('paywindow_errors_total', 'error_type')).toMatchObject({ order_unresolved: 1, paid_twice: 0 })
    expect(await valuesOf('paywindow_checkout_unresolved')).toEqual({ '': 1 })
  })

  it('say what waits, whether somebody watches, and since when the service refuses', async () => {
    const shop = createTestShop({ telemetry: scraped.telemetry, hasCallback: false })
    const checkout = await shop.open()
    await shop.settle()
    expect(await valuesOf('paywindow_checkout_open')).toEqual({ '': 1 })
    expect(await valuesOf('paywindow_checkout_undelivered')).toEqual({ '': 0 })
    expect(await valuesOf('paywindow_change_undelivered_age')).toEqual({ '': 0 })
    expect(await valuesOf('paywindow_service_refusing_duration')).toEqual({ '': 0 })
    await pay(shop)
    await shop.pass(5_000)
    await shop.poll(checkout)
    await shop.settle()
    shop.sandbox.faults = () => ({ kind: 'status', status: 401 })
    await shop.pass(10_000)
    await shop.poll(checkout)
    await shop.pass(60_000)
    expect(await valuesOf('paywindow_checkout_undelivered')).toEqual({ '': 1 })
    expect(await valuesOf('paywindow_change_undelivered_age')).toEqual({ '': 70 })
    expect(await valuesOf('paywindow_service_refusing_duration')).toEqual({ '': 60 })
    expect(await valuesOf('paywindow_watched')).toEqual({ '': 0 })
    expect(await valuesOf('paywindow_store_ready')).toEqual({ '': 1 })
  })

  it('say nothing of the store while it does not answer, but that', async () => {
    const store = createMemoryStore()
    const list = () => Promise.reject(new Error('down'))
    createTestShop({ telemetry: scraped.telemetry, store: { ...store, list } })
    expect(await valuesOf('paywindow_store_ready')).toEqual({ '': 0 })
    expect(await valuesOf('paywindow_checkout_open')).toEqual({})
    expect(await valuesOf('paywindow_watched')).toEqual({})
  })

  it('read the store no more once the server is closed', async () => {
    const store = createMemoryStore()
    let reads = 0
    const list: typeof store.list = (...args) => {
      reads += 1
      return store.list(...args)
    }
    const shop = createTestShop({ telemetry: scraped.telemetry, store: { ...store, list } })
    await scraped.scrape()
    expect(reads).toBeGreaterThan(0)
    await shop.run(shop.paywindow.close())
    await shop.pass(60_000)
    reads = 0
    await scraped.scrape()
    expect(reads).toBe(0)
  })

  it('name no checkout, no cart and nobody', async () => {
    const shop = createTestShop({ telemetry: scraped.telemetry })
    const { id, key } = await sell(shop)
    const { id: orderId, address } = order(shop)
    const { accessToken, subAccountId } = shop.sandbox.access
    const text = await scraped.scrape()
    for (const secret of [id, key, 'cart-42', orderId, address ?? '', accessToken, subAccountId]) {
      expect(secret).not.toBe('')
      expect(text).not.toContain(secret)
    }
  })
})

describe('requests to the service', () => {
  it('are client spans and durations, by the conventions for HTTP', async () => {
    const shop = createTestShop({ telemetry: scraped.telemetry })
    await shop.open()
    await shop.settle()
    const [span] = scraped.spans.getFinishedSpans()
    const { hostname } = new URL(shop.sandbox.access.baseUrl)
    const conventional = {
      'http.request.method': 'POST',
      'url.template': '/v1/order/exchange',
      'server.address': hostname,
      'server.port': expect.any(Number),
      'http.response.status_code': 200,
    }
    expect(span).toMatchObject({
      name: 'POST /v1/order/exchange',
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
      instrumentationScope: { name: 'paywindow' },
    })
    expect(span?.attributes).toEqual({
      ...conventional,
      'url.full': `${shop.sandbox.access.baseUrl}/v1/order/exchange`,
    })
    expect(
      await valuesOf('http_client_request_duration_count', 'url_template', 'http_response_status_code'),
    ).toMatchObject({ '/v1/order/exchange 200': 1 })
  })

  it.each([
    ['a status', { kind: 'status', status: 503 } as const, { 'http.response.status_code': 503, 'error.type': '503' }],
    ['no answer', { kind: 'hang' } as const, { 'error.type': 'timeout' }],
  ])('say how they failed: %s', async (_, fault, attributes) => {
    const shop = createTestShop({ telemetry: scraped.telemetry })
    shop.sandbox.faults = () => fault
    await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    const [span] = scraped.spans.getFinishedSpans()
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span?.attributes).toMatchObject(attributes)
    expect(span?.events).toEqual([])
  })

  it("belong to the span of the browser's request that they were sent for", async () => {
    const { contextManager, tracerProvider, spans } = scraped
    context.setGlobalContextManager(contextManager.enable())
    try {
      const shop = createTestShop({ telemetry: scraped.telemetry })
      const incoming: Span = tracerProvider.getTracer('shop').startSpan('POST /paywindow')
      await context.with(trace.setSpan(context.active(), incoming), () => shop.open())
      incoming.end()
      const creation = spans.getFinishedSpans().find(({ name }) => name === 'POST /v1/order/exchange')
      expect(creation?.parentSpanContext?.spanId).toBe(incoming.spanContext().spanId)
    } finally {
      context.disable()
    }
  })
})

describe('openTelemetry', () => {
  it('does nothing where no SDK is set up', async () => {
    const shop = createTestShop({ telemetry: openTelemetry() })
    await sell(shop)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect(await shop.run(shop.paywindow.close())).toEqual([])
  })
})
