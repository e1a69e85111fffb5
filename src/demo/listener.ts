/** The shop as a listener for a Node server. */
import type { RequestListener } from 'node:http'
import compression from 'compression'
import { toNodeListener } from 'paywindow/server/node'
import { answeringTo } from './hosts.ts'
import type { Shop } from './shop.ts'

/**
 * Compresses everything but answers for one visitor: the length of a compressed answer can reveal a
 * secret in it.
 */
const compress = compression({ filter: (_, response) => response.getHeader('cache-control') !== 'no-store' })

/** @param hosts - Further hosts that the shop answers to, besides those of this machine. */
export function listenerOf(shop: Pick<Shop, 'fetch'>, hosts: readonly string[] = []): RequestListener {
  const answer = toNodeListener(answeringTo(hosts, shop))
  return (request, response) => compress(request, response, () => void answer(request, response))
}
