/**
 * Opens a wallet on this device, where the coin has a link that wallets know; and says what to do
 * where none opened.
 */
import { useEffect, useState } from 'react'
import type { Checkout } from '../../contract/checkout.ts'
import { whenNothingOpened } from '../../wallet/opened.ts'
import { useSetting } from '../setting.ts'
import { Alert } from './Alert.tsx'
import { codesOf } from './QrPanel.tsx'

/** The link, if there is one. */
export function OpenWallet({ checkout, look }: { checkout: Checkout; look?: 'quiet' | undefined }) {
  const { texts } = useSetting()
  const [pressedAt, setPressedAt] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => (pressedAt ? whenNothingOpened(window, () => setFailed(true)) : undefined), [pressedAt])
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
