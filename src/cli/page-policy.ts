/** What the Content-Security-Policies of a page let through, as https://www.w3.org/TR/CSP3/ says. */

/** What a page loads. */
export interface Loaded {
  readonly kind: 'script' | 'connect' | 'img'
  readonly url: URL
  /** Of a script. */
  readonly nonce?: string | undefined
  readonly integrity?: string | undefined
}

/** The sources of each directive. */
export type Policy = ReadonlyMap<string, readonly string[]>

const directivesOf: Readonly<Record<Loaded['kind'], readonly string[]>> = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connect: ['connect-src', 'default-src'],
  img: ['img-src', 'default-src'],
}

/** Reads a header or the content of a `meta` element. The first directive of a name counts. */
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
 * The directive that keeps something from a page; undefined if nothing does.
 *
 * @param page - Where the page is.
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
    // With it, where a script comes from does not count.
    if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false
  }
  return sources.some((source) => matches(source, url, page))
}

/** Every hash of the attribute has to be in the policy. */
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

/** A policy for http lets https through. */
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

/** A source for http that names a port lets https through at 443 alone, in Chromium, which is stricter here than the standard. */
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

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A path with a lone % is what it is.
    return path
  }
}
