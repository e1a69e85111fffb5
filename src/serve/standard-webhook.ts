/**
 * Signatures of events after the Standard Webhooks specification, so that its libraries verify
 * them.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64 } from '@scure/base'
import { PaywindowError } from '../contract/errors.ts'

const prefix = 'whsec_'
const text = new TextEncoder()

/**
 * The header `webhook-signature` of an event.
 *
 * @param secrets - `whsec_` and base64 of 24 to 64 bytes. Two while one is changed: the receiver
 *   needs to know one of them.
 * @param id - The header `webhook-id`: the same when the event is sent again. Without dots, which
 *   divide what is signed.
 * @param timestampS - The header `webhook-timestamp`: when this attempt is sent, in whole seconds
 *   since 1970.
 * @param body - What is sent, as it is sent.
 * @throws PaywindowError `invalid_options` for a secret that is none.
 */
export function signWebhook(secrets: readonly string[], id: string, timestampS: number, body: string): string {
  if (secrets.length === 0) throw wrongSecret()
  if (id === '' || /[^!-~]|\./.test(id) || !Number.isSafeInteger(timestampS) || timestampS < 0)
    throw new RangeError('An id has no dot and no space, and a timestamp is in whole seconds')
  const signed = text.encode(`${id}.${timestampS}.${body}`)
  return secrets.map((secret) => `v1,${base64.encode(hmac(sha256, keyOf(secret), signed))}`).join(' ')
}

function keyOf(secret: string): Uint8Array {
  if (!secret.startsWith(prefix)) throw wrongSecret()
  try {
    const key = base64.decode(secret.slice(prefix.length))
    if (key.length >= 24 && key.length <= 64) return key
  } catch {
    // The decoder's message has the secret.
  }
  throw wrongSecret()
}

function wrongSecret(): PaywindowError {
  return new PaywindowError(
    'invalid_options',
    'A secret of events must be whsec_ and base64 of 24 to 64 bytes: echo whsec_$(openssl rand -base64 32)',
  )
}
