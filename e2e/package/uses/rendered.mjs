/**
 * A page of a shop on React, with its server and the service behind it: prints which versions it
 * has, and what the payer sees.
 */
import { JSDOM } from 'jsdom'
import { createSandbox } from 'paywindow/sandbox'
import { createMemoryStore, createPaywindow } from 'paywindow/server'

const { window } = new JSDOM('<main></main>', { url: 'https://shop.example/', pretendToBeVisual: true })
for (const name of Object.getOwnPropertyNames(window).filter((each) => !(each in globalThis)))
  Object.defineProperty(globalThis, name, { get: () => window[name], configurable: true })
for (const name of ['addEventListener', 'removeEventListener']) globalThis[name] = window[name].bind(window)
// The DOM does no layout, and nothing comes into view.
globalThis.IntersectionObserver = class {
  observe() {}
  disconnect() {}
}

const sandbox = createSandbox()
const server = createPaywindow({
  service: sandbox.access,
  store: createMemoryStore(),
  test: true,
  clientKey: () => 'the visitor',
  offer: () => ({
    price: { asset: 'USD', amount: '49.90' },
    methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
    merchant: { name: 'Lantern Books' },
  }),
})
const toServer = (path, options) => server.fetch(new Request(new URL(path, window.location.href), options))

// After the page is there: React looks at it when it is loaded.
const { createElement, StrictMode, version } = await import('react')
const { createRoot } = await import('react-dom/client')
const { Paywindow } = await import('paywindow')
const main = document.querySelector('main')
const root = createRoot(main)
const props = { endpoint: '/paywindow', reference: 'cart-42', asset: 'BTC', network: 'bitcoin', fetch: toServer }
root.render(createElement(StrictMode, null, createElement(Paywindow, props)))

const shown = async (what, look) => {
  const deadline = performance.now() + 30_000
  while (!look(main.textContent)) {
    if (performance.now() > deadline) throw new Error(`${what} is not shown: ${main.textContent}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return what
}
const seen = [await shown('address', (text) => /tb1\w{10}/.test(text.replace(/\s/g, '')))]
const [order] = sandbox.orders()
sandbox.payer.deposit({ address: order.address, asset: 'BTC', network: 'bitcoin', amount: order.sourceAmount })
sandbox.payer.confirm(order.id)
seen.push(await shown('paid', (text) => /paid/i.test(text) && !/tb1/.test(text)))
root.unmount()
await server.close()
console.log(version, seen.join(', '))
process.exit()
