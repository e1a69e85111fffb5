/**
 * The icon of an asset, drawn when there is none, with the network's in its corner where they differ. It has its size before
 * anything is loaded, and waits for nothing.
 */
import { useState } from 'react'
import { type NetworkKind, networkKind } from '../../contract/networks.ts'
import { useSetting } from '../setting.ts'

/** The colour people know an asset by, and of its network's own coin. */
const colors: Readonly<Record<string, string>> = {
  BTC: '#f7931a',
  ETH: '#627eea',
  USDC: '#2775ca',
  USDT: '#26a17b',
  XRP: '#23292f',
  LTC: '#345d9d',
  DOGE: '#ba9f33',
  BCH: '#0ac18e',
  SOL: '#9945ff',
  TRX: '#d0021b',
  BNB: '#c48f00',
  POL: '#8247e5',
  XLM: '#0b7f9e',
  TON: '#0098ea',
  ADA: '#0033ad',
  XMR: '#e05a00',
}

const letters: Readonly<Record<string, string>> = { ETH: 'Ξ', USDC: '$', USDT: 'T', EURC: '€', XLM: 'S' }

const coinOf: Readonly<Partial<Record<NetworkKind, string>>> = {
  ethereum: 'ETH',
  'bnb-smart-chain': 'BNB',
  polygon: 'POL',
  tron: 'TRX',
  solana: 'SOL',
  stellar: 'XLM',
  ton: 'TON',
}

/** @param icon - Path below the endpoint; the drawn icon stands when it is missing or does not load. */
export function AssetIcon({ symbol, network, icon }: { symbol: string; network: string; icon: string | undefined }) {
  const { endpoint } = useSetting()
  const [broken, setBroken] = useState('')
  const source = icon && `${endpoint.replace(/\/+$/, '')}/${icon}`
  const kind = networkKind(network)
  const coin = kind && coinOf[kind]
  return (
    <span className="pw-icon" aria-hidden="true">
      <DrawnIcon symbol={symbol} />
      {source && source !== broken ? (
        <img src={source} alt="" width="36" height="36" decoding="async" onError={() => setBroken(source)} />
      ) : null}
      {coin && coin !== symbol.toUpperCase() ? (
        <span className="pw-badge">
          <DrawnIcon symbol={coin} />
        </span>
      ) : null}
    </span>
  )
}

/** The letter is no part of the drawing: laying out text in SVG takes five times as long. */
function DrawnIcon({ symbol }: { symbol: string }) {
  const name = symbol.toUpperCase()
  return (
    <>
      <svg viewBox="0 0 36 36" aria-hidden="true">
        <circle cx="18" cy="18" r="18" fill={colors[name] ?? '#5b6472'} />
      </svg>
      <span className="pw-letter">{letters[name] ?? name.slice(0, 1)}</span>
    </>
  )
}
