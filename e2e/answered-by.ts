import type { Page } from '@playwright/test'
import { createSandbox, type SandboxAccess } from '../src/sandbox/index.ts'
import type { MerchantOffer } from '../src/server/offers.ts'
import type { PaywindowOptions } from '../src/server/options.ts'
import { createPaywindow } from '../src/server/paywindow.ts'
import { createMemoryStore } from '../src/server/store/memory.ts'

/** An offer of the servers below. */
export const offer: MerchantOffer = {
  price: { asset: 'USD', amount: '49.90' },
  methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
  merchant: { name: 'Lantern Books' },
}

/** What a server of ours answers, in its own words, that a merchant has set up so. It stands in for the shop's. */
export const answeredBy = (options: (access: SandboxAccess) => Partial<PaywindowOptions>) => (page: Page) => {
  const { access } = createSandbox()
  const server = createPaywindow({
    service: access,
    store: createMemoryStore(),
    offer: () => offer,
    clientKey: () => 'the only visitor',
    test: true,
    onError: () => {},
    ...options(access),
  })
  return page.route('**/paywindow/checkouts', async (route) => {
    const asked = route.request()
    const [method, headers, body] = [asked.method(), await asked.allHeaders(), asked.postData()]
    const answer = await server.fetch(new Request(asked.url(), { method, headers, body }))
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    })
  })
}
