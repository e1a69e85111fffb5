// @vitest-environment jsdom
/** Where the script finds its own tag, and the languages, however it is run. */
import { beforeEach, expect, it, vi } from 'vitest'

const { setLanguageFolders } = vi.hoisted(() => ({ setLanguageFolders: vi.fn<(urls: readonly URL[]) => void>() }))
vi.mock('./language.ts', () => ({ setLanguageFolders }))
vi.mock('./register.ts', () => ({ register: () => undefined }))
vi.mock('./dialog.ts', () => ({ openPaywindow: () => undefined }))

const tag = '<script src="/assets/paywindow.js" data-endpoint="/paywindow" data-reference="cart-42"></script>'

beforeEach(() => {
  document.body.innerHTML = `<main>${tag}</main>`
  setLanguageFolders.mockClear()
})

/** Runs the script, as if `current` were the tag that it is in. */
async function run(current: Element | null): Promise<void> {
  vi.resetModules()
  Object.defineProperty(document, 'currentScript', { value: current, configurable: true })
  await import('./script.ts')
}

function scriptFrom(src: string): HTMLScriptElement {
  const script = document.createElement('script')
  script.type = 'text/plain'
  if (src) script.src = src
  return script
}

const folders = () => setLanguageFolders.mock.lastCall?.[0].map(({ href }) => href)
const placed = () =>
  [...document.querySelectorAll('main > script + pay-window')].map((element) => Object.entries(element))

// jQuery runs the scripts of a fragment as text, in tags that are gone at once.
it.each([
  ['as text, in a tag without address', () => scriptFrom('')],
  ['as a module, or by eval', () => null],
  ['from a blob', () => scriptFrom('blob:https://shop.example/1f0e')],
])('run %s, it mounts once where the page has its tag, and again when the page replaces that', async (_, current) => {
  for (let time = 0; time < 2; time += 1) {
    await run(current())
    await run(current())
    expect(placed()).toEqual([expect.arrayContaining([['reference', 'cart-42']])])
    expect(folders()).toEqual(['https://shop.example/assets/locales/', 'https://shop.example/locales/'])
    document.body.innerHTML = `<main>${tag}</main>`
  }
})

it('run as it is meant to be, it leaves the other tags to themselves', async () => {
  const own = scriptFrom('https://shop.example/other/paywindow.js')
  document.querySelector('main')?.append(own)
  own.dataset.reference = 'cart-43'
  await run(own)
  expect(placed()).toEqual([expect.arrayContaining([['reference', 'cart-43']])])
  expect(folders()?.[0]).toBe('https://shop.example/other/locales/')
})

it('written into the page with its data, it mounts where it stands', async () => {
  document.body.innerHTML =
    '<main><script type="text/plain" data-endpoint="/paywindow" data-reference="cart-42"></script></main>'
  await run(document.querySelector('script'))
  expect(placed()).toHaveLength(1)
})

it('in the head, where nothing is shown, it mounts behind that, once', async () => {
  const own = scriptFrom('https://shop.example/assets/paywindow.js')
  own.dataset.reference = 'cart-43'
  document.head.append(own)
  document.body.innerHTML = ''
  for (let time = 0; time < 2; time += 1) {
    await run(own)
    expect([...document.querySelectorAll('pay-window')].map((element) => element.previousElementSibling)).toEqual([
      document.head,
    ])
  }
  own.remove()
  document.querySelector('pay-window')?.remove()
})

it('joined with others in a file elsewhere, it looks for the languages at the root of the site too', async () => {
  document.body.innerHTML = ''
  await run(scriptFrom('https://shop.example/cache/joined-1a2b.js'))
  expect(folders()).toEqual(['https://shop.example/cache/locales/', 'https://shop.example/locales/'])
})
