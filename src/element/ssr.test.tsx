// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Paywindow } from '../react/index.ts'

describe('on a server that renders the page', () => {
  it('can be imported and registered where there is no DOM', async () => {
    expect(typeof HTMLElement).toBe('undefined')
    const { PaywindowElement } = await import('./index.ts')
    await import('./define.ts')
    expect(PaywindowElement.observedAttributes).toContain('reference')
  })

  it('draws the shell of the widget and asks nobody', () => {
    const refuse: typeof fetch = () => Promise.reject(new Error('asked'))
    const html = renderToString(
      <Paywindow endpoint="/paywindow" reference="cart-42" handoverUrl="/pay" fetch={refuse} />,
    )
    expect(html).toContain('data-view="preparing"')
    expect(html).toContain('Preparing your payment…')
  })
})
