/** A stranger at the examples' `payments.js`, run from its text. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSandbox } from '../sandbox/sandbox.ts'
import type { PaywindowOptions, StatusEvent } from './options.ts'
import { createPaywindow, type PaywindowServer } from './paywindow.ts'
import { requestOf } from './shop.testing.ts'
import { createMemoryStore } from './store/memory.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const read = (path: string) => readFileSync(join(examples, path), 'utf8')
const recipes = globSync('*/payments.js', { cwd: examples })

beforeEach(() => vi.stubEnv('CART_SECRET', 'a secret of the shop'))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** The server of an example at a sandbox, and how its pages name a cart. */
function start(recipe: string) {
  const sandbox = createSandbox()
  let server: PaywindowServer | undefined
  let told: PaywindowOptions['onStatusChange']
  const given = {
    ...createRequire(import.meta.url)('node:crypto'),
    fromHeader: () => undefined,
    globalThis: {},
    createPaywindow: (options: PaywindowOptions) => {
      told = options.onStatusChange
      server = createPaywindow({ ...options, service: sandbox.access, store: createMemoryStore(), test: true })
      return { watch: () => undefined }
    },
  }
  const code = read(recipe)
    .replace(/^import .*$/gm, '')
    .replace(/^export /gm, '')
  const signed: (cart: string) => string = new Function(...Object.keys(given), `${code}; return signed`)(
    ...Object.values(given),
  )
  const open = async (reference: string) => {
    const body = { reference, asset: 'BTC', network: 'bitcoin' }
    const answer = await server?.fetch(requestOf('POST', '/checkouts', { body }))
    return answer?.json()
  }
  const tell = (test: boolean) => {
    const price = { asset: 'USD', amount: '49.90' }
    const event = { eventId: 'a', reference: signed('cart-42'), phase: 'paid', price, checkout: { test } }
    return told?.(event as unknown as StatusEvent)
  }
  return { signed, open, tell, close: () => server?.close() }
}

it.each(recipes)('%s opens the cart for whoever has it from a page, and for nobody who guesses', async (recipe) => {
  const { signed, open, close } = start(recipe)
  const own = signed('cart-42')
  expect(await open(own)).toMatchObject({ key: expect.any(String) })
  const changed = `${own.slice(0, -2)}${own.endsWith('AA') ? 'BB' : 'AA'}`
  for (const guessed of ['cart-42', 'cart-42.', '.', 'x', changed, `cart-43${own.slice(7)}`, signed('cart-43')])
    expect(await open(guessed), guessed).toMatchObject({ error: { code: 'not_offered' } })
  await close()
})

it.each(recipes)('%s sends nothing for a test payment while it is live', async (recipe) => {
  vi.stubEnv('PAYWINDOW_TEST', undefined)
  const [error, log] = [vi.spyOn(console, 'error').mockReturnValue(), vi.spyOn(console, 'log').mockReturnValue()]
  const { tell, close } = start(recipe)
  await tell(true)
  expect(error).toHaveBeenCalledWith(expect.stringContaining('TEST, no money has moved for cart-42'))
  expect(log).not.toHaveBeenCalled()
  await tell(false)
  expect(log).toHaveBeenCalledWith(expect.stringContaining('paid: cart-42'))
  vi.stubEnv('PAYWINDOW_TEST', 'yes')
  const shop = start(recipe)
  await shop.tell(true)
  expect(log).toHaveBeenCalledTimes(2)
  await close()
  await shop.close()
})

it.each([undefined, '', ' '])('starts no shop with %j as its secret, by which everybody could sign', (secret) => {
  vi.stubEnv('CART_SECRET', secret)
  for (const recipe of recipes) expect(() => start(recipe), recipe).toThrow('CART_SECRET is not set')
})

it('nothing that is copied has a secret that everybody knows', () => {
  const root = join(examples, '..')
  const copied = globSync(['README.md', 'docs/**/*.md', 'examples/**/*.{js,py,rb,php,go}'], { cwd: root }).filter(
    (path) => !path.includes('node_modules'),
  )
  expect(copied.length).toBeGreaterThan(100)
  // In place of a variable that is not set.
  const known = /_SECRET\w*['"\])}]*\s*(?:\?\?|\|\||\?:|or|,)\s*['"`][^'"`]/
  expect(copied.filter((path) => known.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})

it('no page of an example names a cart that it has not signed', () => {
  const others = globSync('*/**/*.{js,jsx,ts,html,vue,svelte,astro}', { cwd: examples }).filter(
    (path) => !recipes.includes(path) && !path.startsWith('fulfilment'),
  )
  expect(others.length).toBeGreaterThan(40)
  expect(others.filter((path) => /(?<!signed\()['"`]cart-\d/.test(read(path)))).toEqual([])
})

it('docs/languages.md has only code of the shops that the tests run', () => {
  const page = readFileSync(join(examples, '../docs/languages.md'), 'utf8')
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  expect(blocks.map(([, language]) => language)).toEqual(
    ['php', 'python', 'ruby', 'go'].flatMap((each) => [each, each]),
  )
  for (const [, language = '', code = ''] of blocks) {
    const ending = { python: 'py', ruby: 'rb' }[language] ?? language
    expect(read(`languages/shop.${ending}`)).toContain(`\n${code}`)
  }
})
