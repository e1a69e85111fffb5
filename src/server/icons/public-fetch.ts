/**
 * Fetches from public addresses only: resolves the name, checks the address and connects to that
 * address. Reads the whole answer, within bounds, before it passes it on, so that a stranger's
 * server can do nothing later.
 */
import { lookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { readBytes } from '../../service/body.ts'
import { type IconFetch, maxIconBytes } from './icons.ts'

/** All that IANA has given out so far for the public internet. @see RFC 4291, section 2.4 */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** Whether an IP address is of the public internet. IPv4 addresses in IPv6 are judged as IPv4. */
export function isPublicAddress(address: string): boolean {
  // The library also reads old spellings such as 1.2.3, which no lookup returns.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

/** The network: names, and connections that go where `lookup` says. */
interface Network {
  readonly lookup: typeof lookup
  readonly request: typeof request
}

/** Finds the public addresses of a name, and fails where it has none. */
export function publicLookupBy(find: typeof lookup): LookupFunction {
  return (hostname, options, callback) => {
    find(hostname, { ...options, all: true }, (error, found) => {
      const usable = (found ?? []).filter(({ address }) => isPublicAddress(address))
      const first = usable[0]
      if (error || !first) return callback(error ?? new Error(`${hostname} has no public address`), '', 4)
      if (options.all) return callback(null, usable)
      return callback(null, first.address, first.family)
    })
  }
}

/** Refuses a literal address, which is not looked up, unless it is public. @throws Error */
export function refuseInnerHost(url: string): void {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new Error(`${host} is not a public address`)
}

/** Returns a GET over https without redirects. It resolves with a whole 200, or rejects. */
export function createPublicFetch(network: Network): IconFetch {
  const publicLookup = publicLookupBy(network.lookup)

  /** `agent: false`: late data on this connection reaches no other request. */
  const answerOf = (url: string, { signal, headers }: Parameters<IconFetch>[1]) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      network
        .request(url, { lookup: publicLookup, agent: false, signal, headers }, resolve)
        // Kept attached: later errors need a listener too.
        .on('error', reject)
        .end()
    })

  return async (url, init) => {
    refuseInnerHost(url)
    const answer = await answerOf(url, init)
    // A second error of the body, after reading has stopped, would end the process.
    answer.on('error', () => undefined)
    try {
      if (answer.statusCode !== 200) throw new Error(`The address answered ${answer.statusCode}`)
      const { 'content-type': type, 'content-encoding': encoding = 'identity' } = answer.headers
      if (encoding !== 'identity') throw new Error(`The answer is in the encoding ${encoding}, which nobody asked for`)
      return new Response(await readAll(answer), { headers: type === undefined ? {} : { 'content-type': type } })
    } finally {
      answer.destroy()
    }
  }
}

/** Fetches over this machine's network. */
export const publicFetch = createPublicFetch({ lookup, request })

async function readAll(answer: IncomingMessage): Promise<ArrayBuffer> {
  const bytes = await readBytes(
    { body: Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>> },
    maxIconBytes,
  )
  if (!answer.complete) throw new Error('The answer broke off')
  return bytes
}
