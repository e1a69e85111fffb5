import { describe, expect, it, vi } from 'vitest'
import { onLocalhost } from './show-developer.ts'
import { showWith, tell } from './tell.ts'

const { show } = vi.hoisted(() => ({ show: vi.fn() }))
vi.mock('#developer', () => ({ show }))

const at = (host: string) => ({
  location: { hash: '', href: '', host, reload: () => undefined },
  console: { error: vi.fn() },
})

describe('telling the developer', () => {
  it('is in the console everywhere, and on the page at a port of localhost alone', async () => {
    showWith(onLocalhost)
    const [shop, own] = [at('shop.example'), at('localhost:3000')]
    for (const window of [shop, own]) {
      tell(window, 'Wrong')
      expect(window.console.error.mock.calls).toEqual([['Paywindow', 'Wrong']])
    }
    await vi.waitFor(() => expect(show.mock.calls).toEqual([['Wrong']]))
  })

  it.each(['127.0.0.1:80', 'localhost.example:80', 'shop.localhost.example:80', 'localhost', ''])(
    'leaves a page of %j as it is',
    async (name) => {
      show.mockClear()
      onLocalhost(at(name), 'Wrong')
      await import('#developer')
      expect(show).not.toHaveBeenCalled()
    },
  )
})
