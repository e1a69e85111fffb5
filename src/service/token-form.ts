/** How client credentials are written into a request. */
import type { TokenSettings } from './token-settings.ts'

/** The headers of a token request. The client is named by HTTP Basic (RFC 6749, section 2.3.1), or in the body. */
export function tokenHeaders({ clientId, clientSecret, authentication }: TokenSettings): Record<string, string> {
  if (authentication === 'json') return { accept: 'application/json', 'content-type': 'application/json' }
  return {
    accept: 'application/json',
    authorization: basic(clientId, clientSecret),
    'content-type': 'application/x-www-form-urlencoded',
  }
}

/** The body of a token request. */
export function tokenBody({ clientId, clientSecret, scope, authentication }: TokenSettings): string {
  const scoped = scope === undefined ? {} : { scope }
  if (authentication === 'json') return JSON.stringify({ client_id: clientId, client_secret: clientSecret, ...scoped })
  return new URLSearchParams({ grant_type: 'client_credentials', ...scoped }).toString()
}

/** HTTP Basic, with both parts form-encoded first, so that a colon in the id stays apart from the one between them. */
export function basic(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)}`
}

/**
 * The encoding of `application/x-www-form-urlencoded`.
 *
 * @see RFC 6749, appendix B
 */
export function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
