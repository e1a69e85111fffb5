import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkPage } from './check-page.ts'
import type { Ask } from './endpoint-answers.ts'

const at = 'https://shop.example/paywindow'
const code = "import('./paywindow-later.js').then((file) => file.of0123abcd([]))"
const integrity = `sha384-${createHash('sha384').update(code).digest('base64')}`
const tag = '<script src="/assets/paywindow.js" defer></script>'

interface Site {
  readonly html?: string
  readonly policy?: string
  /** Status and type of the script's answer. */
  readonly status?: number
  readonly type?: string
  /** The second file. Null: it is not there. */
  readonly later?: string | null
  /** Where another origin lets pages read it. */
  readonly allowed?: string
  /** Where the script is after a redirect. */
  readonly movedTo?: string
}

/** The findings of a page, as lines. */
async function lines({ html = tag, policy, movedTo, ...site }: Site): Promise<string[]> {
  const { status = 200, type = 'text/javascript', later = 'export const of0123abcd = () => {}', allowed } = site
  const ask: Ask = async (url) => {
    if (url === 'https://shop.example/cart') {
      const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' })
      if (policy) headers.set('content-security-policy', policy)
      return { url, status: 200, headers, text: html, json: undefined }
    }
    if (!url.endsWith('/paywindow-later.js'))
      return {
        url: movedTo ?? url,
        status,
        headers: new Headers({ 'content-type': type }),
        text: code,
        json: undefined,
      }
    const headers = new Headers({ 'content-type': later === null ? 'text/html' : type })
    if (allowed) headers.set('access-control-allow-origin', allowed)
    return { url, status: later === null ? 404 : 200, headers, text: later ?? '', json: undefined }
  }
  const found = await checkPage(at, new URL('https://shop.example/cart'), ask)
  return found.map(({ check, result, words }) => `${result} ${check}: ${words}`)
}

describe('the page of paywindow check', () => {
  it('is right with a script that loads, with and without a policy', async () => {
    expect(await lines({})).toEqual([
      'ok Script: https://shop.example/assets/paywindow.js arrives.',
      'ok Script: https://shop.example/assets/paywindow-later.js arrives.',
      'ok Page: It has no Content-Security-Policy.',
    ])
    const policy = "default-src 'none'; script-src 'nonce-abc'; connect-src 'self'; img-src 'self'"
    const html = `<base href="https://cdn.example/v1/"><script nonce=abc src=paywindow.js integrity="${integrity}"></script>`
    expect(await lines({ html, policy, allowed: 'https://shop.example' })).toEqual([
      'ok Script: https://cdn.example/v1/paywindow.js arrives.',
      'ok Script: https://cdn.example/v1/paywindow-later.js arrives.',
      'ok Page: Its Content-Security-Policy lets the endpoint and the icons through.',
    ])
  })

  it.each<[string, Site, string]>([
    [
      'a policy that blocks the script',
      { policy: "script-src https://cdn.example; connect-src 'self'" },
      "wrong Script: The page's Content-Security-Policy blocks https://shop.example/assets/paywindow.js: add 'self' to script-src, or the policy's nonce to the tag.",
    ],
    [
      'a policy in the page itself',
      { html: `<meta http-equiv="Content-Security-Policy" content="default-src 'nonce-1'">${tag}` },
      "wrong Script: The page's Content-Security-Policy blocks https://shop.example/assets/paywindow.js: add 'self' to default-src, or the policy's nonce to the tag.",
    ],
    [
      'a policy that blocks the endpoint',
      { policy: "script-src 'self'; connect-src https://api.example; img-src *" },
      "wrong Page: Its Content-Security-Policy blocks the endpoint: add 'self' to connect-src.",
    ],
    [
      'a policy that blocks icons',
      { policy: "default-src 'self'; img-src data:" },
      "wrong Page: Its Content-Security-Policy blocks icons of coins: add 'self' to img-src.",
    ],
    [
      'a script that is not there',
      { status: 404, type: 'text/html' },
      'wrong Script: https://shop.example/assets/paywindow.js is answered with 404 and text/html: serve dist/paywindow.js of the package there.',
    ],
    [
      'the shop’s own page in place of the script',
      { type: 'text/html' },
      'wrong Script: https://shop.example/assets/paywindow.js is answered with 200 and text/html: serve dist/paywindow.js of the package there.',
    ],
    [
      'a script of another version than the hash',
      { html: `<script src="/paywindow.js" integrity="${integrity.replace('sha384-', 'sha384-A')}"></script>` },
      'wrong Script: https://shop.example/paywindow.js is not what the attribute integrity says: take it from dist/paywindow.js.integrity.',
    ],
    [
      'no script in its HTML, but in a comment',
      { html: `<!-- ${tag} --><pay-window></pay-window>` },
      'note Script: The HTML names no paywindow.js: a bundle has it, or another script adds it.',
    ],
    [
      'a second file that is not there',
      { later: null },
      'wrong Script: https://shop.example/assets/paywindow-later.js is answered with 404 and text/html: serve dist/paywindow-later.js of the package there.',
    ],
    [
      'a second file that is not beside the first after its redirect',
      { later: null, movedTo: 'https://shop.example/v1/paywindow.js' },
      'wrong Script: https://shop.example/v1/paywindow-later.js is answered with 404 and text/html: serve dist/paywindow-later.js of the package there.',
    ],
    [
      'a second file of another version',
      { later: 'export const of4567abcd = () => {}' },
      'wrong Script: https://shop.example/assets/paywindow-later.js is of another version than https://shop.example/assets/paywindow.js: serve both from one version of the package, and empty caches.',
    ],
    [
      'a second file that another origin keeps to itself',
      { html: '<script src="https://cdn.example/paywindow.js"></script>' },
      'wrong Script: https://cdn.example/paywindow-later.js is of another origin: answer it with Access-Control-Allow-Origin: https://shop.example or *.',
    ],
    [
      'a policy that has the hash of the first file alone',
      {
        html: `<script src="/paywindow.js" integrity="${integrity}"></script>`,
        policy: `default-src 'none'; script-src '${integrity}'`,
      },
      "wrong Script: The page's Content-Security-Policy blocks https://shop.example/paywindow-later.js: add 'self' to script-src, or the policy's nonce to the tag.",
    ],
  ])('says what is wrong with %s', async (_, site, line) => {
    expect(await lines(site)).toContain(line)
  })

  it('is missing where nothing answers, or no HTML', async () => {
    const broken: Ask = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))
    expect(await checkPage(at, new URL('https://shop.example/cart'), broken)).toEqual([
      { check: 'Page', result: 'wrong', words: 'Nothing answers there: ENOTFOUND.' },
    ])
    const redirect: Ask = async (url) => ({ url, status: 302, headers: new Headers(), text: '', json: undefined })
    expect(await checkPage(at, new URL('https://shop.example/cart'), redirect)).toEqual([
      { check: 'Page', result: 'note', words: 'It answers 302 with no type: give the address of the page itself.' },
    ])
  })
})
