/**
 * `paywindow check --page`: whether both files of the page's script arrive, and what its policy
 * blocks.
 */
import { createHash } from 'node:crypto'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { type Answer, type Ask, tryAsk, typeOf } from './endpoint-answers.ts'
import { type Finding, findingsOf } from './finding.ts'
import { blockedBy, type Loaded, type Policy, policiesIn } from './page-policy.ts'
import { plainLine } from './text.ts'

const page = findingsOf('Page')
const script = findingsOf('Script')

/** An element of a page. */
interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** A page that arrived. */
interface Page {
  readonly url: URL
  /** The base of its relative addresses. */
  readonly base: URL
  readonly elements: readonly Element[]
  readonly policies: readonly Policy[]
}

/**
 * Checks a page, as a visitor sees it who is not logged in.
 *
 * @param at - The endpoint.
 */
export async function checkPage(at: string, url: URL, ask: Ask): Promise<readonly Finding[]> {
  const answer = await tryAsk(ask, url.href, { headers: { accept: 'text/html' } })
  if (typeof answer === 'string') return [page.wrong(answer)]
  const type = typeOf(answer)
  if (answer.status !== 200 || !type.includes('html'))
    return [page.note(`It answers ${answer.status} with ${type}: give the address of the page itself.`)]
  const found = pageOf(url, answer)
  const scripts = found.elements.filter(isOurs)
  return [
    ...(scripts.length > 0
      ? (await Promise.all(scripts.map((each) => checkScript(each, found, ask)))).flat()
      : [script.note('The HTML names no paywindow.js: a bundle has it, or another script adds it.')]),
    ...checkPolicy(at, found),
  ]
}

function pageOf(url: URL, { text, headers }: Answer): Page {
  const elements = elementsIn(parse(text).childNodes)
  const base = elements.find(({ name, attributes }) => name === 'base' && attributes.href !== undefined)
  const metas = elements.filter(({ attributes }) => /^content-security-policy$/i.test(attributes['http-equiv'] ?? ''))
  const policies = [headers.get('content-security-policy'), ...metas.map(({ attributes }) => attributes.content)]
  return {
    url,
    base: URL.parse(base?.attributes.href ?? '', url.href) ?? url,
    elements,
    policies: policies.flatMap((policy) => policiesIn(policy ?? '')),
  }
}

function elementsIn(nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): readonly Element[] {
  return nodes.flatMap((node) => {
    if (!('attrs' in node)) return []
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
    return [{ name: node.tagName, attributes }, ...elementsIn(node.childNodes)]
  })
}

function isOurs({ name, attributes: { src, ...others } }: Element): boolean {
  return name === 'script' && src !== undefined && ('data-endpoint' in others || /paywindow[\w.-]*\.js($|\?)/.test(src))
}

async function checkScript({ attributes }: Element, found: Page, ask: Ask): Promise<readonly Finding[]> {
  const { src = '', nonce, integrity } = attributes
  if (!URL.canParse(src, found.base)) return [script.wrong(`${plainLine(src)} is no address.`)]
  const loaded = { kind: 'script', url: new URL(src, found.base), nonce, integrity } as const
  const answer = await load(loaded, 'paywindow.js', found, ask)
  if ('result' in answer) return [answer]
  const { href } = loaded.url
  return isIntact(integrity, answer.text)
    ? [script.ok(`${href} arrives.`), ...(await checkLater(answer, nonce, found, ask))]
    : [script.wrong(`${href} is not what the attribute integrity says: take it from dist/paywindow.js.integrity.`)]
}

/**
 * The file that the script imports from beside itself: with the nonce of its tag, and without a
 * hash.
 */
async function checkLater(
  first: Answer,
  nonce: string | undefined,
  found: Page,
  ask: Ask,
): Promise<readonly Finding[]> {
  // By this name one calls the other: see scripts/targets/two-files.ts.
  const [build] = /\bof[0-9a-f]{8}\b/.exec(first.text) ?? []
  if (build === undefined) return []
  const url = new URL('paywindow-later.js', first.url)
  const answer = await load({ kind: 'script', url, nonce }, 'paywindow-later.js', found, ask)
  if ('result' in answer) return [answer]
  const { origin } = found.url
  if (url.origin !== origin && !['*', origin].includes(answer.headers.get('access-control-allow-origin') ?? ''))
    return [
      script.wrong(`${url.href} is of another origin: answer it with Access-Control-Allow-Origin: ${origin} or *.`),
    ]
  return answer.text.includes(build)
    ? [script.ok(`${url.href} arrives.`)]
    : [
        script.wrong(
          `${url.href} is of another version than ${first.url}: serve both from one version of the package, and empty caches.`,
        ),
      ]
}

/**
 * Resolves with what is wrong, or with a script of the package. @param file - Its name in `dist`.
 */
async function load(loaded: Loaded, file: string, { url: from, policies }: Page, ask: Ask): Promise<Answer | Finding> {
  const { href } = loaded.url
  const directive = blockedBy(policies, loaded, from)
  if (directive)
    return script.wrong(
      `The page's Content-Security-Policy blocks ${href}: add ${sourceOf(loaded.url, from)} to ${directive}, or the policy's nonce to the tag.`,
    )
  const answer = await tryAsk(ask, href, { redirect: 'follow', headers: { origin: from.origin } })
  if (typeof answer === 'string') return script.wrong(`${href}: ${answer}`)
  const type = typeOf(answer)
  return answer.status === 200 && type.includes('javascript')
    ? answer
    : script.wrong(`${href} is answered with ${answer.status} and ${type}: serve dist/${file} of the package there.`)
}

/** Only hashes of the strongest algorithm count. */
function isIntact(integrity: string | undefined, text: string): boolean {
  const hashes = [...(integrity ?? '').matchAll(/sha(256|384|512)-([\w+/=-]+)/g)]
  const strongest = hashes.map(([, bits]) => Number(bits)).sort((one, other) => other - one)[0]
  if (strongest === undefined) return true
  const actual = createHash(`sha${strongest}`).update(text).digest('base64')
  return hashes.some(([, bits, hash]) => Number(bits) === strongest && hash === actual)
}

function checkPolicy(at: string, { url: from, policies }: Page): readonly Finding[] {
  if (policies.length === 0) return [page.ok('It has no Content-Security-Policy.')]
  const needed: readonly [needs: string, loaded: Loaded][] = [
    ['the endpoint', { kind: 'connect', url: new URL(`${at}/checkouts`) }],
    ['icons of coins', { kind: 'img', url: new URL(`${at}/icons/btc`) }],
  ]
  const wrong = needed.flatMap(([needs, loaded]) => {
    const directive = blockedBy(policies, loaded, from)
    return directive
      ? [page.wrong(`Its Content-Security-Policy blocks ${needs}: add ${sourceOf(loaded.url, from)} to ${directive}.`)]
      : []
  })
  return wrong.length > 0 ? wrong : [page.ok('Its Content-Security-Policy lets the endpoint and the icons through.')]
}

function sourceOf(url: URL, from: URL): string {
  return url.origin === from.origin ? "'self'" : url.origin
}
