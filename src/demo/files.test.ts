import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Place, serveFile } from './files.ts'

let root: string
let places: readonly Place[]

/** `root` has a secret; the shop's folders below it have files of their own. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'paywindow-files-'))
  for (const folder of ['public/deep', 'public-private', 'dist/locales'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const name of [
    'secret.json',
    'public-private/secret.json',
    'dist/secret.json',
    'public/.env',
    'public/.git.json',
  ])
    writeFileSync(join(root, name), 'secret')
  for (const name of [
    'public/shop.css',
    'public/deep/a.js',
    'public/two words.css',
    'dist/paywindow.js',
    'dist/locales/de.json',
  ])
    writeFileSync(join(root, name), name)
  symlinkSync(join(root, 'secret.json'), join(root, 'public/link.json'))
  symlinkSync(join(root, 'public-private'), join(root, 'public/linked'))
  symlinkSync(join(root, 'public/shop.css'), join(root, 'public/own.css'))
  places = [
    { path: '/locales/', folder: join(root, 'dist/locales/') },
    { path: '/paywindow.js', folder: join(root, 'dist/') },
    { path: '/', folder: join(root, 'public/') },
  ]
})
afterAll(() => rmSync(root, { recursive: true }))

const serve = (path: string) => serveFile(new URL(`http://localhost${path}`).pathname, places)

describe('the files of the shop', () => {
  it.each([
    ['/shop.css', 'public/shop.css', 'text/css; charset=utf-8'],
    ['/deep/a.js', 'public/deep/a.js', 'application/javascript; charset=utf-8'],
    ['/two%20words.css', 'public/two words.css', 'text/css; charset=utf-8'],
    ['/own.css', 'public/shop.css', 'text/css; charset=utf-8'],
    ['/paywindow.js', 'dist/paywindow.js', 'application/javascript; charset=utf-8'],
    ['/locales/de.json', 'dist/locales/de.json', 'application/json; charset=utf-8'],
  ])('%s is served', async (path, text, type) => {
    const answer = await serve(path)
    expect(await answer?.text()).toBe(text)
    expect(answer?.headers.get('content-type')).toBe(type)
    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
  })

  const ups = ['..', '%2e%2e', '.%2e', '%252e%252e', '%c0%ae%c0%ae', '\u2025', '..;', '...']
  const slashes = ['/', '//', '%2f', '%252f', '\\', '%5c', '/./', '%00/', '%ef%bc%8f']
  const targets = ['secret.json', 'public-private/secret.json']
  const starts = ['/', '/deep/', '/locales/', '/paywindow.js/', '//', '/%2f']
  const corpus = starts.flatMap((start) =>
    ups.flatMap((up) =>
      slashes.flatMap((slash) =>
        targets.flatMap((target) => [
          start + up + slash + target,
          start + [up, up, up].join(slash) + slash + target,
          start + up + slash + target.replaceAll('/', slash),
        ]),
      ),
    ),
  )
  // As a browser sends them, and as they stand.
  const names = new Set(corpus.flatMap((path) => [path, new URL(`http://localhost${path}`).pathname]))

  it(`are nothing beside them, by ${names.size} paths that lead out`, { timeout: 20_000 }, async () => {
    const read = async (name: string) => {
      const answer = await serveFile(name, places)
      return answer && (await answer.text()) === 'secret' ? [name] : []
    }
    expect((await Promise.all([...names].map(read))).flat()).toEqual([])
  })

  it('are nothing that is absolute, linked, hidden, broken or a folder', async () => {
    const absolute = [root, '/etc/passwd', 'C:\\Windows\\win.ini', 'file:///etc/passwd']
    for (const path of [
      ...absolute.flatMap((name) =>
        ['', '/', '/paywindow.js', '/paywindow.js/', '/locales/', '/assets/'].map((start) => start + name),
      ),
      ...['', '/', '/paywindow.js'].map((start) => `${start}${root}/secret.json`),
      ...[
        '/link.json',
        '/linked/secret.json',
        '/.env',
        '/.git.json',
        '/deep',
        '/deep/',
        '/',
        '/locales/',
        '/locales',
        '/paywindow.js/',
      ],
      ...[
        '/shop.css%00.js',
        '/%',
        '/%zz',
        '/%e0%a4%a',
        '/shop.css/',
        '/shop.css/x',
        `/${'a'.repeat(5_000)}`,
        '/nothing.css',
      ],
      ...['/__proto__', '/constructor', '/toString', '/~root', '/shop.css::$DATA', '/con.json'],
    ])
      expect(await serveFile(path, places), path).toBeNull()
  })
})
