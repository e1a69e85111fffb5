/** A Vendure shop of one book, as a program. Fills its database first, if the argument says so. */
import { createRequire } from 'node:module'

// Vendure and the compiled plug-in are CommonJS, and share one Vendure.
const require = createRequire(new URL('../../plugins/vendure/package.json', import.meta.url))
const { bootstrap, DefaultLogger, LogLevel, LanguageCode } = require('@vendure/core')
const { populate } = require('@vendure/core/cli')
const { PaywindowPlugin }: Plugin = require('./dist/paywindow.js')

interface Plugin {
  readonly PaywindowPlugin: {
    init(options: {
      readonly returnUrl: (order: { readonly code: string }) => string
      [more: string]: unknown
    }): unknown
  }
}

const { PORT, DATABASE_URL, PRODUCTS } = process.env

const config = {
  apiOptions: { port: Number(PORT), hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: { tokenMethod: 'bearer', superadminCredentials: { identifier: 'superadmin', password: 'superadmin' } },
  dbConnectionOptions: { type: 'postgres', url: DATABASE_URL, synchronize: process.argv[2] === 'fill' },
  paymentOptions: { paymentMethodHandlers: [] },
  logger: new DefaultLogger({ level: LogLevel.Warn, timestamp: false }),
  importExportOptions: { importAssetsDir: import.meta.dirname },
  plugins: [
    PaywindowPlugin.init({
      serverUrl: process.env.PAYWINDOW_SERVER_URL, // https://pay.shop.example/books
      apiSecret: process.env.PAYWINDOW_BOOKS_API_SECRET,
      eventsSecret: process.env.PAYWINDOW_BOOKS_EVENTS_SECRET,
      test: process.env.PAYWINDOW_TEST === 'yes', // only with the sandbox or a test account
      returnUrl: (order) => `${process.env.STOREFRONT_URL}/orders/${order.code}`,
    }),
  ],
}

if (process.argv[2] === 'fill') {
  const data = {
    defaultLanguage: LanguageCode.en,
    defaultZone: 'Europe',
    countries: [{ code: 'NL', name: 'Netherlands', zone: 'Europe' }],
    taxRates: [{ name: 'Standard Tax', percentage: 0 }],
    shippingMethods: [{ name: 'By post', price: 490 }],
    paymentMethods: [{ name: 'Paywindow', handler: { code: 'paywindow', arguments: [] } }],
    collections: [],
  }
  const app = await populate(() => bootstrap(config), data, PRODUCTS)
  await app.close()
  console.log('filled')
  process.exit(0)
}
await bootstrap(config)
console.log('serves')
