import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PaywindowError } from '../../contract/errors.ts'
import { parseKeyedCheckout } from '../../contract/parsers.ts'
import { createSandbox, seededRandom } from '../../sandbox/index.ts'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { recording } from '../../testing/store-around.testing.ts'
import { withStatus } from '../core/transitions.ts'
import { bounds, withinBounds } from '../core/types.ts'
import type { MerchantOffer } from '../offers.ts'
import { createPaywindow } from '../paywindow.ts'
import { requestOf } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { NewRecord } from '../store/store.ts'
import { parseCart, parseCheckoutRecord } from './record-kinds.ts'
import { someCheckout, startMs } from './records.testing.ts'
import { createRepository } from './repository.ts'

const odd = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('x', '0', '9', '\u{1F4B6}', '\ud800', '\u202e', ' ', '\u0000', '"', 'é'),
      fc.constantFrom(1, 64, 65, 128, 129, 199, 200, 201, 2_000, 2_001, 5_000),
    )
    .map(([letter, count]) => letter.repeat(count)),
  fc.constantFrom(
    null,
    '',
    0,
    -1,
    1e308,
    1e-300,
    true,
    false,
    [],
    {},
    [{}],
    { id: {} },
    '1e80',
    '-0',
    'NaN',
    '.',
    '..',
  ),
)

/**
 * Puts odd values where the service has good ones: into some of the fields with these names,
 * anywhere in the answer.
 */
function spoiled(json: unknown, oddities: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(json)) return json.map((item) => spoiled(item, oddities))
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json).map(([name, value]) => [
    name,
    oddities.has(name) ? oddities.get(name) : spoiled(value, oddities),
  ])
  return Object.fromEntries(entries)
}

/** Fields that a payment does not need: their odd values get furthest. */
const looseNames = [
  'id',
  'order_id',
  'name',
  'large_image_url',
  'date_time',
  'exp_time',
  'icon',
  'description',
  'returnUrl',
]
const fieldNames = [
  ...looseNames,
  ...[
    'status',
    'amount',
    'asset',
    'symbol',
    'type',
    'deposit',
    'message',
    'network',
    'tag',
    'wallet_address',
    'created_at',
    'valid_until',
    'source_asset',
    'source_amount',
  ],
  ...['target_asset', 'target_amount', 'sub_account_id', 'page', 'size', 'total_pages', 'orders'],
]
const oddities = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...looseNames), odd), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(...fieldNames), odd), { maxLength: 2 }),
  )
  .map(([loose, any]) => new Map<string, unknown>([...loose, ...any]))

function readBack({ key, value }: NewRecord): void {
  if (key.startsWith('checkout ')) parseCheckoutRecord(value)
  if (key.startsWith('cart ')) parseCart(value)
}

async function play(
  ofService: ReadonlyMap<string, unknown>,
  ofOffer: ReadonlyMap<string, unknown>,
  creationId: boolean,
) {
  const clock = createVirtualClock()
  const sandbox = createSandbox({ clock, random: seededRandom(1), creationId, listInstructions: creationId })
  const { store, written } = recording(createMemoryStore(clock.now))
  const errors: PaywindowError[] = []
  const offer: MerchantOffer = {
    price: { asset: 'USD', amount: '49.90' },
    methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin', icon: 'https://cdn.example/btc.png' }],
    merchant: { name: 'Lantern Books', returnUrl: 'https://shop.example/', supportUrl: 'https://shop.example/help' },
    description: 'Order 42',
  }
  const paywindow = createPaywindow({
    service: {
      ...sandbox.access,
      clock,
      fetch: async (input, init) => {
        const answer = await sandbox.fetch(input, init)
        const json: unknown = JSON.parse(await answer.text())
        return new Response(JSON.stringify(spoiled(json, ofService)), answer)
      },
    },
    store,
    test: true,
    // Results of the merchant's code have no type at run time.
    offer: () => spoiled(offer, ofOffer) as MerchantOffer,
    onStatusChange: () => {},
    onError: (error) => errors.push(error),
  })
  const send = async (method: string, path: string, body?: string, key = 'none') => {
    const answer = await paywindow.fetch(requestOf(method, path, { body, key }))
    return { status: answer.status, json: JSON.parse(await answer.text()) as unknown }
  }
  await clock.run(
    (async () => {
      const opened = await send('POST', '/checkouts', '{"reference":"cart-42"}')
      await paywindow.settled()
      const [order] = sandbox.orders()
      if (order?.address) sandbox.payer.deposit({ address: order.address, amount: order.sourceAmount })
      await clock.sleep(90_000)
      await paywindow.watchOnce()
      if (opened.status === 200) {
        const { id, key } = parseKeyedCheckout(opened.json)
        const polled = await send('GET', `/checkouts/${id}`, undefined, key)
        expect(polled.status).toBe(200)
      }
      await paywindow.settled()
    })(),
  )
  return { written, errors }
}

describe('whatever a service answers and a merchant offers', () => {
  it('is refused or stored so that it can be read back', async () => {
    await fc.assert(
      fc.asyncProperty(oddities, oddities, fc.boolean(), async (ofService, ofOffer, creationId) => {
        const { written, errors } = await play(ofService, ofOffer, creationId)
        for (const record of written) readBack(record)
        expect(errors.filter(({ code }) => code === 'internal')).toEqual([])
      }),
      { numRuns: 300 },
    )
  }, 60_000)

  it('keeps a checkout whose instructions have a time of 2,001 characters', async () => {
    const { written } = await play(new Map([['date_time', 'x'.repeat(2_001)]]), new Map(), false)
    const last = written.filter(({ key }) => key.startsWith('checkout ')).at(-1)
    expect(parseCheckoutRecord(last?.value ?? '').instructions?.dateTime).toBeNull()
  })
})

describe('lists that grow', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `order-${at}`)
  const rules = {
    phaseOf: { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' },
    eventId: (id: string, status: string) => `${id}-${status}-${Math.random()}`,
  } as const

  it('are cut when they are written, the oldest exclusions first', async () => {
    const grown = someCheckout({ candidates: ids(5_000), excluded: ids(5_000) })
    const repository = createRepository(createMemoryStore())
    await repository.createCheckout(grown)
    const stored = await repository.readCheckout(grown.id)
    expect(stored?.candidates).toEqual(ids(bounds.candidates))
    expect(stored?.excluded.at(-1)).toBe('order-4999')
    expect(withinBounds(stored ?? grown)).toEqual(stored)
  })

  it('of changes remain a chain that ends at the current status, however often the service changes it', () => {
    const statuses = fc.array(fc.constantFrom('open', 'pending', 'confirmed', 'canceled' as const), {
      minLength: bounds.events,
      maxLength: 3 * bounds.events,
    })
    fc.assert(
      fc.property(statuses, (changes) => {
        const after = changes.reduce(
          (checkout, status, at) => withinBounds(withStatus(checkout, status, startMs + at, rules)),
          someCheckout(),
        )
        expect(after.events.length).toBeLessThanOrEqual(bounds.events)
        expect(after.history.length).toBeLessThanOrEqual(bounds.history)
        const told = after.events.reduce<string>((status, event) => {
          expect(event.previousStatus).toBe(status)
          return event.status
        }, 'open')
        expect(told).toBe(after.status)
        parseCheckoutRecord(JSON.stringify(after))
      }),
      { numRuns: 30 },
    )
  })
})
