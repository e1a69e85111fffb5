/**
 * What the payment code contains on each network, and what the payer can switch it to. Wallets
 * differ: a URI with the amount is safe on Bitcoin-like chains, while wallets that misread token
 * amounts or drop tags lose money, so everywhere else the code holds the bare address unless its
 * row says otherwise. Each row names why.
 */
import type { NetworkKind } from '../contract/networks/table.ts'
import {
  bip321,
  cashAddrUri,
  erc681,
  moneroUri,
  type Payment,
  sep7,
  solanaPay,
  tonTransfer,
  xrpWithTag,
} from './payment-uri.ts'

/**
 * What a code can hold: the bare address, a URI with the amount, the tag alone, or the address
 * together with the tag.
 *
 * @example
 * ```ts
 * const shown: QrContent = qrProfile({ asset: 'BTC', address: 'bc1q…', amount: '0.0015', tag: null }).first
 * shown // => 'address'
 * ```
 */
export type QrContent = 'address' | 'amount' | 'tag' | 'addressAndTag'

/**
 * A code that the payer can switch to.
 *
 * @example
 * ```ts
 * const choice: QrChoice = { content: 'amount', text: 'bitcoin:bc1q…?amount=0.0015', opensWallet: true }
 * const link = choice.opensWallet ? choice.text : null
 * link // => 'bitcoin:bc1q…?amount=0.0015'
 * ```
 */
export interface QrChoice {
  readonly content: QrContent
  /** The text in the code. */
  readonly text: string
  /** Whether the text is a URI that a wallet on this device can be opened with. */
  readonly opensWallet: boolean
}

/**
 * Choices in the order of the switch, and the one that is shown first.
 *
 * @example
 * ```ts
 * const textOf = ({ choices, first }: QrProfile) => choices.find(({ content }) => content === first)?.text
 * textOf({ choices: [{ content: 'address', text: 'bc1q…', opensWallet: false }], first: 'address' }) // => 'bc1q…'
 * ```
 */
export interface QrProfile {
  readonly choices: readonly QrChoice[]
  readonly first: QrContent
}

interface Row {
  /**
   * Symbols of the coin that the form is for; any other asset on the network is a token and gets
   * the bare address.
   */
  readonly natives: readonly string[]
  readonly content: 'amount' | 'addressAndTag'
  readonly build: (payment: Payment) => string | null
  readonly opensWallet: boolean
  /** Whether this form is shown first; otherwise it can be switched to. */
  readonly first: boolean
}

const rows = {
  // BIP-321, read by all; capitals fail in some (btcpayserver#2110, #2929), parameters beside
  // `amount` in others (bitpay/wallet#12107).
  bitcoin: coin(['BTC'], (payment) => bip321('bitcoin', payment)),
  litecoin: coin(['LTC'], (payment) => bip321('litecoin', payment)),
  // One wallet refuses its own URI (langerhans/dogecoin-wallet-new#78): the address is one press
  // away.
  dogecoin: coin(['DOGE'], (payment) => bip321('dogecoin', payment)),
  // Without the prefix an amount is refused (paytaca#472); it must not be doubled.
  'bitcoin-cash': coin(['BCH'], cashAddrUri),
  // The prefix is required by monero-gui (#3499).
  monero: coin(['XMR'], moneroUri),
  // ERC-681 is read by few (Uniswap interface#8022, trezor-suite#30266); token forms can send to
  // the contract (ShapeShift#4206).
  ethereum: { ...coin(['ETH'], erc681), first: false },
  // Solana Pay: read late and not by all (metamask-mobile#35672); token amounts were shown a
  // thousandfold (wallet-core#4860).
  solana: { ...coin(['SOL'], solanaPay), first: false },
  // No official form (ToastWallet/core#4); tags got lost in scanning (Xaman#17), so the tag has a
  // code of its own.
  'xrp-ledger': { natives: ['XRP'], content: 'addressAndTag', build: xrpWithTag, opensWallet: false, first: false },
  // SEP-7: some scanners read the address only (keybase#21141).
  stellar: { natives: ['XLM'], content: 'addressAndTag', build: sep7, opensWallet: true, first: false },
  // Carries the comment, which a bare address would leave to memory (docs.ton.org, deep links).
  ton: { natives: ['TON'], content: 'addressAndTag', build: tonTransfer, opensWallet: true, first: true },
} satisfies Readonly<Partial<Record<NetworkKind, Row>>>

/**
 * The codes for one payment. A network or asset that is not in the table gets its bare address, and
 * its tag if it has one; so does a network without `networkInfo` from the server.
 *
 * @example
 * ```ts
 * const networkInfo = { kind: 'bitcoin' }
 * const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
 * const payment = { asset: 'BTC', networkInfo, address, amount: '0.0015', tag: null }
 * qrProfile(payment).first // => 'amount'
 * ```
 */
export function qrProfile(payment: Payment): QrProfile {
  const choices: QrChoice[] = [{ content: 'address', text: payment.address, opensWallet: false }]
  if (payment.tag !== null) choices.push({ content: 'tag', text: payment.tag, opensWallet: false })
  const kind = payment.networkInfo?.kind ?? ''
  const row = rowOf(kind)
  // Anything else would be read as another part of the URI; the link of TON rewrites its signs.
  const isPlain = (kind === 'ton' ? /^[\w+/-]+$/ : /^[\w:]+$/).test(payment.address)
  const text = isPlain && row?.natives.includes(payment.asset.toUpperCase()) ? row.build(payment) : null
  if (!row || text === null) return { choices, first: 'address' }
  const choice = { content: row.content, text, opensWallet: row.opensWallet }
  return row.first
    ? { choices: [choice, ...choices], first: row.content }
    : { choices: [...choices, choice], first: 'address' }
}

/** Own keys only: `constructor` is no network. */
function rowOf(kind: string): Row | undefined {
  return Object.entries<Row>(rows).find(([name]) => name === kind)?.[1]
}

function coin(natives: readonly string[], build: Row['build']): Row {
  return { natives, content: 'amount', build, opensWallet: true, first: true }
}
