/** Links that open a wallet's app with the payment filled in: only forms that the wallet's makers publish. */
import type { Checkout } from '../contract/checkout.ts'
import { transferOf } from './transfer.ts'

/** An app, and the link that opens it. */
export interface App {
  readonly name: string
  readonly href: string
}

/**
 * Ids of coins in Trust's links: `CoinType` of trustwallet/wallet-core. By chain id for chains like Ethereum, by kind for others.
 * Without chains that tell deposits apart by a tag: nobody says what its app does with one.
 */
// biome-ignore format: pairs need no line each
const trustIds: Readonly<Record<string, number>> = {
  1: 60, 56: 20000714, 137: 966, 8453: 8453, 42161: 10042221, 10: 10000070, 43114: 10009000, 59144: 59144, 534352: 534352, 5000: 5000,
  324: 10000324, 42220: 52752, 146: 10000146, 204: 204, 61: 61,
  'bitcoin BTC': 0, 'litecoin LTC': 2, 'dogecoin DOGE': 3, 'bitcoin-cash BCH': 145, 'solana SOL': 501, 'tron TRX': 195,
}

/** The apps that can pay this checkout. */
export function appsFor(checkout: Checkout): readonly App[] {
  const { address, amount, tag, networkInfo, asset } = checkout
  if (tag !== null || !/^[\w:]+$/.test(address)) return []
  const transfer = transferOf(checkout)
  const apps: App[] = []
  if (transfer !== null) {
    // docs.metamask.io, "Use deeplinks": `send/{recipient}@{chainId}?value=`, `send/{contract}@{chainId}/transfer?address=&uint256=`.
    const { chainId, token } = transfer
    const path =
      token === null
        ? `${address}@${chainId}?value=${transfer.amount}`
        : `${token.contract}@${chainId}/transfer?address=${address}&uint256=${transfer.amount}`
    apps.push({ name: 'MetaMask', href: `https://link.metamask.io/send/${path}` })
  }
  // developer.trustwallet.com, "Deep linking": `send?asset=c{id}` or `c{id}_t{contract}`, `&address=&amount=` in whole coins.
  const id = trustIds[checkout.evm ? `${checkout.evm.chainId}` : `${networkInfo?.kind} ${asset.symbol}`]
  if (id !== undefined && (transfer !== null || !checkout.evm)) {
    const token = transfer?.token ? `_t${transfer.token.contract}` : ''
    apps.push({ name: 'Trust Wallet', href: `trust://send?asset=c${id}${token}&address=${address}&amount=${amount}` })
  }
  return apps
}
