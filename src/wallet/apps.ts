/**
 * Links that open a wallet's app with the payment filled in: only forms that the wallet's makers
 * publish.
 */
import type { Checkout } from '../contract/checkout.ts'
import { transferOf } from './transfer.ts'

/** An app, and the link that opens it. */
export interface App {
  readonly name: string
  readonly href: string
}

/**
 * Ids of coins in Trust's links: `CoinType` of trustwallet/wallet-core. By chain id for chains like
 * Ethereum, by kind for others. Without chains that tell deposits apart by a tag: nobody says what
 * its app does with one.
 */
// biome-ignore format: pairs need no line each
const trustIds: Readonly<Record<string, number>> = {
  1: 60, 56: 20000714, 137: 966, 8453: 8453, 42161: 10042221, 10: 10000070, 43114: 10009000, 59144: 59144, 534352: 534352, 5000: 5000,
  324: 10000324, 42220: 52752, 146: 10000146, 204: 204, 61: 61,
  'bitcoin BTC': 0, 'litecoin LTC': 2, 'dogecoin DOGE': 3, 'bitcoin-cash BCH': 145, 'solana SOL': 501, 'tron TRX': 195,
}

/** The apps that can pay this checkout. Test payments have none: an app sends real money. */
export function appsFor(checkout: Checkout): readonly App[] {
  const { address, amount, tag, networkInfo, asset, evm, test } = checkout
  // Of addresses with a prefix only those of Bitcoin Cash are known to be read.
  const isPlain = networkInfo?.kind === 'bitcoin-cash' ? /^[\w:]+$/.test(address) : /^\w+$/.test(address)
  const transfer = transferOf(checkout)
  if (test || tag !== null || !isPlain || (evm && transfer === null)) return []
  const apps: App[] = []
  // developer.trustwallet.com, "Deep linking": `send?asset=c{id}` or `c{id}_t{contract}`,
  // `&address=&amount=` in whole coins.
  const id = trustIds[evm ? `${evm.chainId}` : `${networkInfo?.kind} ${asset.symbol}`]
  const token = transfer?.token ? `_t${transfer.token.contract}` : ''
  if (id !== undefined)
    apps.push({ name: 'Trust Wallet', href: `trust://send?asset=c${id}${token}&address=${address}&amount=${amount}` })
  if (transfer?.chainId === 1n && isReadByMetaMask(transfer.amount)) {
    // docs.metamask.io, "Use deeplinks": `send/{recipient}@{chainId}?value=`,
    // `send/{contract}@{chainId}/transfer?address=&uint256=`.
    const path = transfer.token
      ? `${transfer.token.contract}@1/transfer?address=${address}&uint256=${transfer.amount}`
      : `${address}@1?value=${transfer.amount}`
    apps.push({ name: 'MetaMask', href: `https://link.metamask.io/send/${path}` })
  }
  return apps
}

/**
 * Its versions before 8.10 pay on the chain that is selected where they lack the chain of a link
 * (metamask-mobile#22847), so only Ethereum is asked for; and its readers pass amounts through a
 * double, or stop at an exponent (#30832).
 */
function isReadByMetaMask(amount: bigint): boolean {
  return amount < 10n ** 21n && BigInt(Number(amount)) === amount
}
