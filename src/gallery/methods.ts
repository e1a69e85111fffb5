/** The methods that the gallery shows. The addresses are public test vectors. */
import { checkoutFixture, xrpFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'
import { coinIcon, networkFields } from '../server/icons/coins/coin-icons.ts'

/** The shop in all pictures. */
export const galleryMerchant = {
  name: 'Lantern Books',
  returnUrl: 'https://lantern.example/orders/42',
  supportUrl: 'https://lantern.example/help',
}

/** A checkout as the merchant server sends it. */
function bitcoin(changes: Partial<Checkout> = {}): Checkout {
  const checkout = checkoutFixture({ merchant: galleryMerchant, ...changes })
  const icon = coinIcon(checkout.asset.symbol)
  return { ...checkout, asset: { ...checkout.asset, ...(icon && { icon }) }, ...networkFields(checkout.network) }
}

const ether = bitcoin({
  amount: '0.012345678901234567',
  asset: { symbol: 'ETH', name: 'Ether' },
  network: 'erc-20',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  evm: { chainId: 1, decimals: 18 },
})

const dollar = bitcoin({
  amount: '49.93',
  asset: { symbol: 'USDC', name: 'USD Coin' },
  network: 'erc-20',
  address: '0xde709f2102306220921060314715629080e2fb77',
  evm: { chainId: 1, decimals: 6, contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
})

const ton = bitcoin({
  amount: '9.214',
  asset: { symbol: 'TON', name: 'Toncoin' },
  network: 'ton',
  address: 'EQBvW8Z5huBkMJYdnfAEM5JqTNkuWX3diqYENkWsIL0XggGG',
  tag: 'k7q2m9',
})

/** A checkout for each method, by the symbol of its asset. */
export const galleryMethods = {
  BTC: bitcoin(),
  ETH: ether,
  USDC: dollar,
  XRP: bitcoin(xrpFixture),
  TON: ton,
} as const satisfies Readonly<Record<string, Checkout>>
