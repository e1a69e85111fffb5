import { expect, it, vi } from 'vitest'
import { followLinks, openedLink } from './links.ts'
import type { BrowserWindow } from './world.ts'

/** A page at an address, with a router that keeps a state of its own. */
function openPage(hash: string) {
  let change = () => {}
  const reload = vi.fn()
  const location = { hash, href: `https://shop.example/pay?a=1${hash}`, reload }
  const history = {
    state: { routers: 'own' } as object,
    replaceState: (state: object, _title: string, url: string) => {
      history.state = state
      Object.assign(location, { href: url, hash: new URL(url).hash })
    },
  }
  const addEventListener = (_name: string, listener: () => void) => {
    change = listener
  }
  const goTo = (next: string) => {
    location.hash = next
    change()
  }
  const window = { location, history, addEventListener } as unknown as BrowserWindow
  return { window, location, history, reload, goTo }
}

it.each([
  ['#paywindow=a.one', ''],
  ['#/pay?paywindow=a.one', '#/pay'],
  ['#/pay?lang=de&paywindow=a.one', '#/pay?lang=de'],
])('the link %s leaves the address, and is there when the page is loaded anew', (hash, left) => {
  const { window, location, history } = openPage(hash)
  expect(openedLink(window)).toEqual({ id: 'a', token: 'one' })
  followLinks(window)
  expect(location.href).toBe(`https://shop.example/pay?a=1${left}`)
  expect(history.state).toMatchObject({ routers: 'own' })
  expect(openedLink(window)).toEqual({ id: 'a', token: 'one' })
  location.hash = '#paywindow=b.two'
  expect(openedLink(window)).toEqual({ id: 'b', token: 'two' })
})

it('a page without a link changes nothing', () => {
  const { window, location, history } = openPage('#/cart')
  expect(openedLink(window)).toBeNull()
  followLinks(window)
  expect([location.hash, history.state]).toEqual(['#/cart', { routers: 'own' }])
})

it.each([
  ['another link', '#paywindow=b.two', 1],
  ['another link behind a route', '#/pay?paywindow=b.two', 1],
  ['the same link, as a router rewrites it', '#/pay?lang=de&paywindow=a.one', 0],
  ['another route', '#/cart', 0],
])('a page that shows a link is loaded anew for %s: %s', (_, hash, count) => {
  const { window, reload, goTo } = openPage('#/pay?paywindow=a.one')
  followLinks(window)
  goTo(hash)
  expect(reload).toHaveBeenCalledTimes(count)
})
