/**
 * The ways to a wallet on this device: a link that its system knows, or a wallet by its name, in
 * this browser or as an app of a phone. The file of the names is loaded when a payer asks for it.
 */
import { useEffect, useRef, useState } from 'react'
import { networkName } from '../../checkout/network-names.ts'
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { listen } from '../../session/visibility.ts'
import { useSetting } from '../setting.ts'
import { Alert } from './Alert.tsx'
import { OpenWallet } from './OpenWallet.tsx'
import { markOf } from './remembered.ts'
import { useTexts } from './use-texts.ts'

/** Props of `Wallets`. */
export type WalletsProps = Pick<PaywindowActions, 'timeLeftMs'> & {
  readonly checkout: Checkout
  /** Whether a wallet may have sent, or may send yet: then no other way stands beside it. */
  readonly isAsked: boolean
  readonly onAsked: (isAsked: boolean) => void
}

/** The link, and a button with the wallets below it. A wallet in this browser comes first. */
export function Wallets({ checkout, timeLeftMs, isAsked, onAsked }: WalletsProps) {
  const texts = useTexts()
  const { announce, isHeld } = useSetting()
  const [state, setState] = useState<'closed' | 'opening' | 'open' | 'failed'>('closed')
  const isPhone = isHeld === true && hasApps(checkout)
  const hasWallet = useWalletHere() && checkout.evm !== undefined
  const place = useRef<HTMLDivElement>(null)
  const isWanted = state === 'opening' || state === 'open'
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn belongs to one checkout, and its words stay.
  useEffect(() => {
    if (!isWanted) return
    let close: (() => void) | null = () => undefined
    import('#wallet').then(
      ({ showWallets }) => {
        if (!close || !place.current) return
        const { network, networkInfo, reference } = checkout
        close = showWallets(place.current, {
          checkout,
          cart: markOf(reference),
          texts,
          network: networkName(network, networkInfo),
          isPhone,
          leftMs: timeLeftMs,
          speak: announce,
          onDrawn: (asked) => {
            setState('open')
            onAsked(asked)
          },
        })
      },
      () => setState('failed'),
    )
    return () => {
      close?.()
      close = null
    }
  }, [isWanted])
  const link = isAsked ? null : <OpenWallet checkout={checkout} look={hasWallet ? 'quiet' : undefined} />
  return (
    <>
      {hasWallet ? null : link}
      {state !== 'open' && (hasWallet || isPhone) ? (
        <button
          type="button"
          className="pw-button"
          part="button"
          data-look={hasWallet ? undefined : 'quiet'}
          aria-busy={state === 'opening'}
          onClick={() => setState('opening')}
        >
          {texts.walletChoose}
        </button>
      ) : null}
      <div className="pw-wallets" ref={place} />
      <Alert text={state === 'failed' ? texts.nothingOpened : null} />
      {hasWallet ? link : null}
    </>
  )
}

/** Whether a wallet is in this browser. Which one, nobody asks before a press. */
function useWalletHere(): boolean {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    const unlisten = listen(() => setHere(true), [window, 'eip6963:announceProvider'])
    try {
      // Of the window that it is sent to, which in tests of shops may be another than the
      // surroundings'.
      window.dispatchEvent(new window.Event('eip6963:requestProvider'))
      if ('ethereum' in window && window.ethereum) setHere(true)
    } catch {
      // A page that forbids wallets.
    }
    return unlisten
  }, [])
  return isHere
}

/** Coins of other chains than EVM's that `src/wallet/apps.ts` has links for. */
const coinsOfApps = /^(bitcoin BTC|litecoin LTC|dogecoin DOGE|bitcoin-cash BCH|solana SOL|tron TRX)$/

/** Whether the payment is one that wallet apps have links for. */
function hasApps({ test, tag, evm, asset, networkInfo }: Checkout): boolean {
  const isLinked = evm !== undefined || coinsOfApps.test(`${networkInfo?.kind} ${asset.symbol}`)
  return !test && tag === null && isLinked
}
