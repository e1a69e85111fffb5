/**
 * Wallets in this browser: found as EIP-6963 says, asked as EIP-1193 says. Nothing that a wallet
 * answers is trusted unread.
 */

/** What a wallet puts into a page. */
export interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

/** A wallet that answered, by the name it has in a list. */
export interface BrowserWallet {
  readonly name: string
  /** A `data:` URL of an image; empty where the wallet gave none. */
  readonly icon: string
  readonly provider: Provider
}

/**
 * Wallets answer within the same task; those that wait for their background page are not worth a
 * payer's second.
 */
const answersWithinMs = 150

/** Characters of an icon's URL. */
const longestIcon = 100_000

/**
 * Asks all wallets to name themselves. The one at `window.ethereum` counts only where no wallet
 * does.
 */
export async function findWallets(window: Window): Promise<readonly BrowserWallet[]> {
  const found = new Map<unknown, BrowserWallet>()
  const onAnnounced = (event: Event) => {
    const wallet = event instanceof CustomEvent ? walletIn(event.detail) : null
    if (wallet && !found.has(wallet.provider)) found.set(wallet.provider, wallet)
  }
  window.addEventListener('eip6963:announceProvider', onAnnounced)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  await new Promise((resolve) => setTimeout(resolve, answersWithinMs))
  window.removeEventListener('eip6963:announceProvider', onAnnounced)
  if (found.size > 0) return [...found.values()]
  const only: unknown = 'ethereum' in window ? window.ethereum : undefined
  return isProvider(only) ? [{ name: '', icon: '', provider: only }] : []
}

function walletIn(detail: unknown): BrowserWallet | null {
  if (!isObject(detail) || !isObject(detail.info) || !isProvider(detail.provider)) return null
  const { name, icon } = detail.info
  // Without signs that hide, or turn the text around.
  const shown =
    typeof name === 'string'
      ? name
          .replace(/[\p{Cc}\p{Cf}]/gu, '')
          .trim()
          .slice(0, 40)
      : ''
  if (shown === '') return null
  const isImage = typeof icon === 'string' && /^data:image\/(?:svg\+xml|png|jpeg|webp|gif)[;,]/.test(icon)
  return { name: shown, icon: isImage && icon.length <= longestIcon ? icon : '', provider: detail.provider }
}

/** Whether it can be asked. */
function isProvider(value: unknown): value is Provider {
  return isObject(value) && typeof value.request === 'function'
}

/** Whether fields can be read from it. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** The number of an error of EIP-1193 or JSON-RPC; undefined where it has none. */
export function codeOf(error: unknown): number | undefined {
  return isObject(error) && typeof error.code === 'number' ? error.code : undefined
}

/** A quantity as JSON-RPC writes it, `'0x1f'`; null for anything else. */
export function quantity(value: unknown): bigint | null {
  return typeof value === 'string' && /^0x[\da-f]{1,64}$/i.test(value) ? BigInt(value) : null
}

/** Bytes as JSON-RPC writes them, in lower case; null for anything else. */
export function bytes(value: unknown): string | null {
  return typeof value === 'string' && /^0x(?:[\da-f]{2})*$/i.test(value) ? value.toLowerCase() : null
}

/** An address in lower case; null for anything else. */
export function address(value: unknown): string | null {
  const read = bytes(value)
  return read?.length === 42 ? read : null
}
