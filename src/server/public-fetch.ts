/** Fetches from public addresses only: the name is resolved here, and the connection goes to the address that was checked. */
import { lookup } from 'node:dns'
import { request } from 'node:https'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import type { IconFetch } from './icons.ts'

const notPublic = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 96],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(net, bits, 'ipv6')
}

/** Whether an IP address belongs to the public internet. IPv4 addresses written as IPv6 are judged as what they are. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return !notPublic.check(mapped ?? address, mapped === undefined && isIPv6(address) ? 'ipv6' : 'ipv4')
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const usable = (found ?? []).filter(({ address }) => isPublicAddress(address))
    const first = usable[0]
    if (error || !first) return callback(error ?? new Error(`${hostname} has no public address`), '', 4)
    if (options.all) return callback(null, usable)
    return callback(null, first.address, first.family)
  })
}

/** A GET over https that follows no redirect. */
export const publicFetch: IconFetch = (url, { signal, headers }) =>
  new Promise((resolve, reject) => {
    request(url, { lookup: publicLookup, signal, headers }, (answer) => {
      const type = answer.headers['content-type']
      const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>
      resolve(
        new Response(body, {
          status: answer.statusCode ?? 502,
          headers: type === undefined ? {} : { 'content-type': type },
        }),
      )
    })
      .on('error', reject)
      .end()
  })
