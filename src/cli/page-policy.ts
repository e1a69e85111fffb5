/**
 * Whether the Content-Security-Policies of a page block a resource.
 *
 * @see https://www.w3.org/TR/CSP3/
 */
import { decoded } from './text.ts'

/** A resource that a page loads. */
export interface Loaded {
  readonly kind: 'script' | 'connect' | 'img'
  readonly url: URL
  /** Of scripts only, like `integrity`. */
  readonly nonce?: string | undefined
  readonly integrity?: string | undefined
}

/** The sources of each directive, by its name. */
export type Policy = ReadonlyMap<string, readonly string[]>

const directivesOf: Readonly<Record<Loaded['kind'], readonly string[]>> = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connect: ['connect-src', 'default-src'],
  img: ['img-src', 'default-src'],
}

/** Parses a header or the content of a `meta` element. The first directive of a name counts. */
export function policiesIn(text: string): readonly Policy[] {
  return text.split(',').flatMap((policy) => {
    const directives = policy.split(';').flatMap((directive): [string, readonly string[]][] => {
      const [name = '', ...sources] = directive.trim().split(/\s+/)
      return name === '' ? [] : [[name.toLowerCase(), sources]]
    })
    return directives.length === 0 ? [] : [new Map(directives.reverse())]
  })
}

/**
 * Returns the directive that blocks a resource; undefined if none does.
 *
 * @param page - The address of the page.
 */
export function blockedBy(policies: readonly Policy[], loaded: Loaded, page: URL): string | undefined {
  const directives = directivesOf[loaded.kind]
  for (const policy of policies) {
    const directive = directives.find((name) => policy.has(name))
    if (directive !== undefined && !lets(policy.get(directive) ?? [], loaded, page)) return directive
  }
  return undefined
}

function lets(sources: readonly string[], { kind, url, nonce, integrity }: Loaded, page: URL): boolean {
  if (kind === 'script') {
    if (nonce && sources.includes(`'nonce-${nonce}'`)) return true
    if (isKnown(integrity, sources)) return true
    // With it, the addresses of scripts do not count.
    if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false
  }
  return sources.some((source) => matches(source, url, page))
}

/** The policy must have every hash of the attribute `integrity`. */
function isKnown(integrity: string | undefined, sources: readonly string[]): boolean {
  const hashes = integrity?.match(/sha(256|384|512)-[\w+/=-]+/g) ?? []
  return hashes.length > 0 && hashes.every((hash) => sources.includes(`'${hash}'`))
}

function matches(source: string, url: URL, page: URL): boolean {
  if (source === '*') return /^(https?|wss?):$/.test(url.protocol) || url.protocol === page.protocol
  if (source.toLowerCase() === "'self'")
    return url.origin === page.origin || (url.hostname === page.hostname && isUpgrade(page, url))
  if (/^[a-z][a-z\d+.-]*:$/i.test(source)) return isScheme(source.toLowerCase(), url.protocol)
  const [, scheme, host = '', port, path] =
    /^(?:([a-z][a-z\d+.-]*:)\/\/)?(\*|(?:\*\.)?[\w-]+(?:\.[\w-]+)*\.?)(?::(\d+|\*))?(\/[^?#]*)?$/i.exec(source) ?? []
  const wanted = scheme?.toLowerCase() ?? page.protocol
  return (
    host !== '' &&
    isScheme(wanted, url.protocol) &&
    isHost(host.toLowerCase(), url.hostname) &&
    isPort(port, url, wanted !== url.protocol) &&
    isPath(path, url.pathname)
  )
}

/** A source for http also allows https. */
function isScheme(wanted: string, scheme: string): boolean {
  return scheme === wanted || (wanted === 'http:' && scheme === 'https:')
}

function isUpgrade(from: URL, to: URL): boolean {
  return from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
}

function isHost(wanted: string, host: string): boolean {
  if (wanted === '*') return true
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted
}

/** In Chromium a source for http with a port allows https at port 443 only, unlike in CSP 3. */
function isPort(wanted: string | undefined, { port, protocol }: URL, isUpgraded: boolean): boolean {
  if (wanted === '*') return true
  if (wanted === undefined) return port === ''
  if (isUpgraded) return port === '' && (wanted === '80' || wanted === '443')
  return wanted === (port || (/^(https|wss):$/.test(protocol) ? '443' : '80'))
}

function isPath(wanted: string | undefined, path: string): boolean {
  if (wanted === undefined || wanted === '/') return true
  const whole = decoded(wanted)
  return whole.endsWith('/') ? decoded(path).startsWith(whole) : decoded(path) === whole
}
