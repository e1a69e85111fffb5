/**
 * The handover to another device: a code and a link that show this payment there, to look at only.
 * Made only on request, because anyone who has the link can look.
 */
import { useState } from 'react'
import { QrCode } from '#qr-code'
import { handoverLink } from '../../checkout/handover-link.ts'
import type { Checkout } from '../../contract/checkout.ts'
import { urlOf } from '../../contract/parse.ts'
import type { HandoverLink, PaywindowActions } from '../../session/state.ts'
import { useSetting } from '../setting.ts'
import { Alert } from './Alert.tsx'
import { CopyField } from './CopyField.tsx'
import { Fold } from './Fold.tsx'
import { Text } from './Text.tsx'
import { TimeOfDay } from './TimeOfDay.tsx'
import { useTexts } from './use-texts.ts'
import { useWaitingWord } from './use-waiting-word.ts'

interface HandoverProps extends Pick<PaywindowActions, 'handOver'> {
  /** The page of the server, where it has one. */
  readonly handoverUrl: Checkout['handoverUrl'] | undefined
}

/** A code and a link that show this payment on another device. */
export function Handover({ handOver, handoverUrl: byDefault }: HandoverProps) {
  const { handoverUrl = byDefault } = useSetting()
  const texts = useTexts()
  const [made, setMade] = useState<HandoverLink | 'making' | 'failed' | null>(null)
  // A server that draws a page has no document, and follows no link.
  const base = globalThis.document?.baseURI ?? 'https://a'
  const page = handoverUrl && typeof handoverUrl === 'string' ? urlOf(handoverUrl, base) : null
  // A page of an app opens on no other device.
  if (!page || !/^https?:$/.test(page.protocol)) return null
  const make = () => {
    setMade('making')
    handOver().then(setMade, () => setMade('failed'))
  }
  return (
    <Fold
      summary={texts.continueElsewhere}
      onOpen={() => {
        if (made === null || made === 'failed') make()
      }}
    >
      {made === 'making' ? <Making /> : null}
      <Alert text={made === 'failed' ? texts.handoverFailed : null} />
      {made instanceof Object ? <Made link={handoverLink(page, made)} untilMs={made.untilMs} /> : null}
    </Fold>
  )
}

function Making() {
  const { handoverMaking } = useTexts()
  return (
    <p role="status">
      <Text>{useWaitingWord('link', handoverMaking)}</Text>
    </p>
  )
}

function Made({ link, untilMs }: { link: string; untilMs: number }) {
  const texts = useTexts()
  return (
    <div className="pw-handover">
      <QrCode text={link} label={texts.handoverCode} />
      <p>
        <TimeOfDay text={texts.handoverText} atMs={untilMs} />
      </p>
      <CopyField text={link} name={texts.handoverLink}>
        {link}
      </CopyField>
      {'share' in navigator ? (
        <button type="button" className="pw-button" part="button" data-look="quiet" onClick={() => share(link)}>
          {texts.share}
        </button>
      ) : null}
    </div>
  )
}

/**
 * Opens the share sheet. Closing it is the payer's decision, not an error; if it does not open, the
 * link can be copied.
 */
function share(url: string): void {
  navigator.share({ url }).catch(() => undefined)
}
