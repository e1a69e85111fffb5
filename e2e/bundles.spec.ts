/** Files for browsers contain no code of the server half, and no names of its secrets. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { ownNames } from '../scripts/targets/script.ts'

const dist = new URL('../dist/', import.meta.url)

/** Words of the server half alone: upstream paths and headers, its settings and its packages. */
const serverWords = [
  'x-sub-account-id',
  'Bearer ',
  '/v1/order',
  '/v1/orders/details',
  'wallet-address',
  'accessToken',
  'subAccountId',
  'PAYWINDOW_ACCESS_TOKEN',
  'target_amount',
  'source_asset',
  'node:sqlite',
  'node:fs',
  'ipaddr.js',
  'createSandbox',
]

const scriptFiles = ['paywindow.js', 'paywindow-later.js']
const browserFiles = ['index.js', 'element.js', 'element-define.js', ...scriptFiles]
  .concat(
    readdirSync(new URL('chunks/', dist))
      .map((file) => `chunks/${file}`)
      .filter((file) => file.endsWith('.js') && !file.includes('/server-')),
  )
  .concat(
    ['production', 'development'].flatMap((mode) =>
      readdirSync(new URL(`demo/${mode}/`, dist)).map((file) => `demo/${mode}/${file}`),
    ),
  )

test('the server words are words of the server files', () => {
  const server = readdirSync(new URL('chunks/', dist))
    .filter((file) => file.startsWith('server-') && file.endsWith('.js'))
    .map((file) => `chunks/${file}`)
  const texts = [...server, 'server-node.js', 'service.js', 'sandbox.js'].map(read).join('\n')
  expect(serverWords.filter((word) => !texts.includes(word))).toEqual([])
})

for (const file of browserFiles) {
  test(`${file} holds no server code`, () => {
    const text = read(file)
    expect(text.length).toBeGreaterThan(0)
    expect(serverWords.filter((word) => text.includes(word))).toEqual([])
  })
}

test('the script is ASCII, so that a page in any encoding reads the same texts in it', () => {
  for (const file of scriptFiles) expect(read(file).match(/[^\0-\x7f]+/g), file).toBeNull()
})

test('its styles are ASCII: browsers keep a text with one wider character at two bytes each', () => {
  const [, , styles] = /(["'`])(:host\{(?:(?!\1).)*)/s.exec(read('paywindow.js')) ?? []
  expect(styles?.length).toBeGreaterThan(15_000)
  expect(styles).not.toContain('\\u')
})

test('the script shortens its own names, and none that an answer, an option, an event or a language has', () => {
  const root = new URL('../', dist)
  const texts = (folder: string) =>
    readdirSync(new URL(folder, root))
      .filter((file) => file.includes('.'))
      .map((file) => readFileSync(new URL(`${folder}${file}`, root), 'utf8'))
  const named = [...texts('src/contract/'), ...texts('dist/locales/'), ...['element', 'server'].map(readApi)].join('\n')
  const isNameIn = (text: string) => (name: string) => new RegExp(`\\b${name}\\b`).test(text)
  expect(ownNames.filter(isNameIn(named))).toEqual([])
  expect(ownNames.filter(isNameIn(scriptFiles.map(read).join('\n')))).toEqual([])
})

function readApi(entry: string): string {
  return readFileSync(new URL(`../docs/api/${entry}.api.md`, dist), 'utf8')
}

function read(file: string): string {
  return readFileSync(new URL(file, dist), 'utf8')
}
