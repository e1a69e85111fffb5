/**
 * Opens a wallet on this device, where the coin has a link that wallets know; and says what to do where none opened.
 */
import { useEffect, useState } from 'react'
import type { Checkout } from '../../contract/checkout.ts'
import { listen } from '../../session/visibility.ts'
import { useSetting } from '../setting.ts'
import { Alert } from './Alert.tsx'
import { codesOf } from './QrPanel.tsx'

/** A wallet that opens takes the page out of sight within this time. */
const opensWithinMs = 2_000

/** The link, if there is one. */
export function OpenWallet({ checkout, look }: { checkout: Checkout; look?: 'quiet' | undefined }) {
  const { texts } = useSetting()
  const [pressedAt, setPressedAt] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!pressedAt) return
    const timer = setTimeout(() => setFailed(true), opensWithinMs)
    const stop = () => clearTimeout(timer)
    // A wallet is in front, or the browser asks whether it may be.
    const unlisten = listen(stop, [window, 'blur'], [window, 'pagehide'], [document, 'visibilitychange'])
    return () => {
      stop()
      unlisten()
    }
  }, [pressedAt])
  const link = codesOf(checkout).choices.find(({ opensWallet }) => opensWallet)
  if (!link) return null
  return (
    <>
      {/* Here, whatever the page's `<base target>` says: a wallet opens from no other tab, and a frame has its own. */}
      <a
        className="pw-button"
        part="button"
        data-look={look}
        href={link.text}
        target="_self"
        onClick={() => setPressedAt(Date.now())}
      >
        {texts.openWallet}
      </a>
      <Alert text={hasFailed ? texts.nothingOpened : null} />
    </>
  )
}
