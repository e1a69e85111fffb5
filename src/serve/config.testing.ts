/** A file with every field, and an environment that it can be served with. */

/** Secrets that tests look for where none must be. */
export const secrets = {
  PAYWINDOW_BOOKS_ACCESS_TOKEN: 'token-of-the-service',
  PAYWINDOW_BOOKS_LINK_SECRET: 'link-secret-of-books-0123456789abcdef',
  PAYWINDOW_BOOKS_API_SECRET: 'api-secret-of-books-0123456789abcdef',
  PAYWINDOW_BOOKS_EVENTS_SECRET: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3',
  PAYWINDOW_BOOKS_WEBHOOK_SECRET: 'webhook-secret-of-books',
  PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH: `scrypt:15:8:3:${'A'.repeat(22)}:${'A'.repeat(43)}`,
  PAYWINDOW_TEA_HOUSE_LINK_SECRET: 'link-secret-of-tea-0123456789abcdef',
  PAYWINDOW_TEA_HOUSE_API_SECRET: 'api-secret-of-tea-0123456789abcdef',
} as const

const bitcoin = { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }
const dollar = { contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 }

/** A file that says everything that it can say. */
export const wholeFile = {
  $schema: './node_modules/paywindow/dist/paywindow.schema.json',
  port: 8080,
  host: '127.0.0.1',
  metricsPort: 9464,
  publicUrl: 'https://pay.shop.example',
  trustedProxies: 1,
  store: 'data/shops.sqlite',
  shops: {
    books: {
      service: {
        baseUrl: 'https://service.example',
        subAccountId: 'sub-1',
        accessTokenEnv: 'PAYWINDOW_BOOKS_ACCESS_TOKEN',
      },
      merchant: { name: 'Lantern Books', supportUrl: 'https://shop.example/help' },
      methods: [
        { ...bitcoin, icon: 'https://shop.example/bitcoin.png' },
        { asset: 'USDC', network: 'base', name: 'USD Coin', token: dollar },
      ],
      page: { logo: 'https://shop.example/logo.svg', accent: '#0a7', theme: 'dark' },
      events: { url: 'https://shop.example/paywindow-events', allowPrivate: false },
      test: false,
    },
    'tea-house': { service: 'sandbox', merchant: { name: 'Tea House' }, methods: [bitcoin], test: true },
  },
} as const

/** Asks the shop `books` of a server on this machine for a payment. */
export function askForPayment(port: string | undefined): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/books/v1/payments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secrets.PAYWINDOW_BOOKS_API_SECRET}`,
      'content-type': 'application/json',
      'idempotency-key': 'one',
    },
    body: JSON.stringify({ order: '42', amount: '49.90', asset: 'EUR' }),
  })
}
