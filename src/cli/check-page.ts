/** `paywindow check --page`: whether the page's script arrives, and what its policy blocks. */
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
      ? await Promise.all(scripts.map((each) => checkScript(each, found, ask)))
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

async function checkScript({ attributes }: Element, { url: from, base, policies }: Page, ask: Ask): Promise<Finding> {
  const { src = '', nonce, integrity } = attributes
  if (!URL.canParse(src, base)) return script.wrong(`${plainLine(src)} is no address.`)
  const url = new URL(src, base)
  const directive = blockedBy(policies, { kind: 'script', url, nonce, integrity }, from)
  if (directive)
    return script.wrong(
      `The page's Content-Security-Policy blocks ${url.href}: add ${sourceOf(url, from)} to ${directive}, or the policy's nonce to the tag.`,
    )
  const answer = await tryAsk(ask, url.href, { redirect: 'follow' })
  if (typeof answer === 'string') return script.wrong(`${url.href}: ${answer}`)
  const type = typeOf(answer)
  if (answer.status !== 200 || !type.includes('javascript'))
    return script.wrong(
      `${url.href} is answered with ${answer.status} and ${type}: serve dist/paywindow.js of the package there.`,
    )
  return isIntact(integrity, answer.text)
    ? script.ok(`${url.href} arrives.`)
    : script.wrong(`${url.href} is not what the attribute integrity says: take it from dist/paywindow.js.integrity.`)
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
