/** Names and secrets, from the platform's own random source. */

/**
 * A checkout's public name: 9 characters of time, so that later ones sort after earlier ones, and 12 random ones.
 *
 * @param nowMs - Milliseconds since the epoch.
 */
export function newCheckoutId(nowMs: number): string {
  return nowMs.toString(36).padStart(9, '0') + randomText(12, '0123456789abcdefghjkmnpqrstvwxyz')
}

/** A secret of 190 bits, safe in a header and in a URL. */
export function newSecret(): string {
  return randomText(32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
}

/** SHA-256 as hex: what is stored of a handover token. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Compares two secrets in a time that does not tell where they differ. */
export async function sameSecret(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([hashOf(left), hashOf(right)])
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}

/** The alphabet's length divides 256, so every letter is as likely as any other. */
function randomText(length: number, alphabet: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
}
