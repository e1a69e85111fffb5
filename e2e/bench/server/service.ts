/** The service as a process: the sandbox with a real one's delay and a limit of requests. */
import { listen } from '../../../src/cli/listen.ts'
import { canonicalDecimal } from '../../../src/contract/decimal.ts'
import { createSandbox } from '../../../src/sandbox/index.ts'
import type { SeedOrder, ServiceCount, ServiceSetup, ToService } from './messages.ts'

const { latencyMs, perSecond, provesByTime }: ServiceSetup = JSON.parse(process.argv[2] ?? '{}')
const sandbox = createSandbox({ dateTime: provesByTime ? 'created' : null })
const none: ServiceCount = { creations: 0, pages: 0, details: 0, refused: 0 }
const seeds = new Map<string, SeedOrder>()
let count = none
let left = perSecond ?? Number.POSITIVE_INFINITY
if (perSecond !== null) setInterval(() => (left = perSecond), 1_000).unref()

const { port } = await listen(async (request) => {
  if (left < 1) {
    count = { ...count, refused: count.refused + 1 }
    return Response.json({ message: 'Too many requests' }, { status: 429, headers: { 'retry-after': '1' } })
  }
  left -= 1
  const kind =
    request.method === 'POST' ? 'creations' : new URL(request.url).pathname === '/v1/order' ? 'pages' : 'details'
  count = { ...count, [kind]: count[kind] + 1 }
  const answered = sandbox.fetch(request)
  await new Promise((resolve) => setTimeout(resolve, latencyMs))
  return answered
}, 0)

process.on('message', (message: ToService) => process.send?.(answer(message)))
process.on('disconnect', () => process.exit())
process.send?.({ ...sandbox.access, fetch: undefined, baseUrl: `http://127.0.0.1:${port}` })

function answer(message: ToService): unknown {
  switch (message.kind) {
    case 'seed':
      return Array.from({ length: message.count }, (_, at) => seeded(at, message))
    case 'pay': {
      // The time before the first is paid, so that no age is shown too small.
      const paidAtMs = Date.now()
      for (const id of message.ids) pay(id)
      return paidAtMs
    }
    case 'count': {
      const counted = count
      count = none
      return counted
    }
  }
}

/** Spread evenly over the span, oldest first. */
function seeded(at: number, { count: all, span, isPaid }: Extract<ToService, { kind: 'seed' }>): SeedOrder {
  const agoMs = Math.round(span.fromAgoMs - ((span.fromAgoMs - span.toAgoMs) * at) / all)
  const price = canonicalDecimal(`${10 + at}.${(at % 90) + 10}`)
  sandbox.clock.advance(-agoMs)
  const order = sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', targetAmount: price })
  const { id, address, sourceAmount: amount, createdAtMs } = order
  const seed = { id, address: address ?? '', amount, price, createdAtMs }
  seeds.set(id, seed)
  if (isPaid) pay(id)
  sandbox.clock.advance(agoMs)
  return seed
}

function pay(id: string): void {
  const seed = seeds.get(id)
  if (!seed) throw new Error(`The service has no order ${id}`)
  sandbox.payer.deposit({ address: seed.address, amount: seed.amount })
  sandbox.payer.confirm(id)
}
