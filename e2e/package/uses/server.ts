/** A shop's server: what it may write, and what its compiler has to refuse. */
import { openTelemetry } from 'paywindow/opentelemetry'
import { createSandbox } from 'paywindow/sandbox'
import { createMemoryStore, createPaywindow as createPortable, type PaywindowServer } from 'paywindow/server'
import { createD1Store } from 'paywindow/server/d1'
import { createPaywindow, type NodePaywindowOptions, PaywindowError, toNodeListener } from 'paywindow/server/node'
import { createPostgresStore } from 'paywindow/server/postgres'
import { createRedisStore } from 'paywindow/server/redis'
import { createServiceClient, ServiceError } from 'paywindow/service'
import { testStore } from 'paywindow/testing'

const options: NodePaywindowOptions = {
  service: createSandbox().access,
  offer: async ({ reference }) => ({
    price: { asset: 'USD', amount: '49.90' },
    methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
    merchant: { name: 'Lantern Books' },
    description: `Order ${reference}`,
  }),
  onStatusChange: async ({ eventId, status }) => console.log(eventId.toUpperCase(), status satisfies string),
  onError: (error) => console.error(error.code, error.message),
}
export const paywindow: PaywindowServer = createPaywindow(options)
export const listener = toNodeListener(paywindow)
export const portable: PaywindowServer = createPortable({ ...options, store: createMemoryStore() })
export const used = [
  openTelemetry,
  createD1Store,
  createPostgresStore,
  createRedisStore,
  createServiceClient,
  ServiceError,
  testStore,
] as const

/** A class is a value and a type. */
export function retryAfter(error: unknown): number | undefined {
  return error instanceof PaywindowError ? error.retryAfterMs : undefined
}
export class ShopError extends PaywindowError {}
export const thrown: PaywindowError = new ShopError('not_found', 'no such cart')

// @ts-expect-error: a server elsewhere has no store of its own.
createPortable(options)
// @ts-expect-error: an amount is text.
export const price: MerchantOffer['price'] = { asset: 'USD', amount: 49.9 }
// @ts-expect-error: no such code.
export const unknown = new PaywindowError('no_such_code', '')
// @ts-expect-error: it is no entry.
export type None = import('paywindow/server/none').None
