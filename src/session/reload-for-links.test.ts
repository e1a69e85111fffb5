import { expect, it, vi } from 'vitest'
import { reloadForLinks } from './reload-for-links.ts'
import type { BrowserWindow } from './world.ts'

it.each([
  ['another link', '#paywindow=b.two', 1],
  ['another link behind a route', '#/pay?paywindow=b.two', 1],
  ['the same link, as a router rewrites it', '#/pay?lang=de&paywindow=a.one', 0],
  ['another route', '#/cart', 0],
])('a page that shows a link is loaded anew for %s: %s', (_, hash, count) => {
  const reload = vi.fn()
  let change = () => {}
  const location = { hash: '#/pay?paywindow=a.one', reload }
  const window: Pick<BrowserWindow, 'location' | 'addEventListener'> = {
    location,
    addEventListener: (_name, listener) => {
      change = listener
    },
  }
  reloadForLinks(window as BrowserWindow)
  location.hash = hash
  change()
  expect(reload).toHaveBeenCalledTimes(count)
})
