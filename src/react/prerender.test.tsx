import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { Paywindow, usePaywindow } from './index.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** What Next.js refuses in a page that it renders once and keeps for everybody. */
function forbidChance(): void {
  const refused = (name: string) => () => {
    throw new Error(`${name} was called while rendering`)
  }
  vi.spyOn(Date, 'now').mockImplementation(refused('Date.now'))
  vi.spyOn(Math, 'random').mockImplementation(refused('Math.random'))
  vi.spyOn(crypto, 'randomUUID').mockImplementation(refused('crypto.randomUUID'))
  vi.spyOn(crypto, 'getRandomValues').mockImplementation(refused('crypto.getRandomValues'))
  const { Date: RealDate } = globalThis
  vi.stubGlobal(
    'Date',
    class extends RealDate {
      constructor(...values: [] | [string | number]) {
        if (values.length === 0) refused('new Date')()
        super(...(values as [number]))
      }
    },
  )
}

const target = { endpoint: '/paywindow', reference: 'cart-42' }

function OwnInterface() {
  return <p>{usePaywindow(target).view.kind}</p>
}

it.each([
  ['the component', <Paywindow key="component" {...target} />, 'pw-card'],
  ['the hook', <OwnInterface key="hook" />, 'preparing'],
])('%s reads no clock and draws no number while it renders', (_, element, drawn) => {
  forbidChance()
  expect(renderToString(element)).toContain(drawn)
})
