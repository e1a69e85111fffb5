/**
 * The ways to a wallet on this device: a link that its system knows, or a wallet by its name, in this browser or as an app of a
 * phone. The file of the names is loaded when a payer asks for it.
 */
import { useEffect, useRef, useState } from 'react'
import { networkName } from '../../checkout/network-names.ts'
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { listen } from '../../session/visibility.ts'
import { Alert } from './Alert.tsx'
import { OpenWallet } from './OpenWallet.tsx'
import { codesOf } from './QrPanel.tsx'
import { useTexts } from './use-texts.ts'

/** Props of `Wallets`. */
export type WalletsProps = Pick<PaywindowActions, 'timeLeftMs'> & { readonly checkout: Checkout }

/** The link, and a button with the wallets below it. A wallet in this browser comes first. */
export function Wallets({ checkout, timeLeftMs }: WalletsProps) {
  const texts = useTexts()
  const [isOpen, setOpen] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const hasWallet = useWalletHere() && checkout.evm !== undefined
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn belongs to one checkout, and its words stay.
  useEffect(() => {
    if (!isOpen) return
    let close: (() => void) | null = () => undefined
    const network = networkName(checkout.network, checkout.networkInfo)
    import('#wallet').then(
      ({ showWallets }) => {
        if (close && place.current) close = showWallets(place.current, { checkout, texts, network, leftMs: timeLeftMs })
      },
      () => {
        setFailed(true)
        setOpen(false)
      },
    )
    return () => {
      close?.()
      close = null
    }
  }, [isOpen])
  const link = <OpenWallet checkout={checkout} look={hasWallet ? 'quiet' : undefined} />
  if (checkout.tag !== null || !(hasWallet || hasApps(checkout))) return link
  return (
    <>
      {hasWallet ? null : link}
      {isOpen ? null : (
        <button
          type="button"
          className="pw-button"
          part="button"
          data-look={hasWallet ? undefined : 'quiet'}
          onClick={() => setOpen(true)}
        >
          {texts.walletChoose}
        </button>
      )}
      <div className="pw-wallets" ref={place} />
      <Alert text={hasFailed && !isOpen ? texts.actionFailed : null} />
      {hasWallet ? link : null}
    </>
  )
}

/** Whether a wallet is in this browser. Which one, nobody asks before a press. */
function useWalletHere(): boolean {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    const unlisten = listen(() => setHere(true), [window, 'eip6963:announceProvider'])
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    if ('ethereum' in window) setHere(true)
    return unlisten
  }, [])
  return isHere
}

/** Whether this device is a phone, and the payment one that wallet apps have links for. */
function hasApps(checkout: Checkout): boolean {
  const isHeld = globalThis.matchMedia?.('(pointer: coarse)').matches
  return isHeld && (checkout.evm !== undefined || codesOf(checkout).choices.some(({ opensWallet }) => opensWallet))
}
