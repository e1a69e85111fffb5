/**
 * Copies everything that support asks for first, with one press.
 */
import { asIs } from '#as-is'
import { supportBundle } from '../../checkout/support-bundle.ts'
import type { ViewKind } from '../../checkout/view.ts'
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { Text } from './Text.tsx'
import { useCopy } from './use-copy.ts'
import { useTexts } from './use-texts.ts'

/** Props of `CopyDetails`: the checkout, and how it is shown. */
export interface CopyDetailsProps extends Pick<PaywindowActions, 'checkedAtMs'> {
  readonly checkout: Checkout
  readonly shownAs: ViewKind
}

/** Copies the details of a payment as text, for support. */
export function CopyDetails({ checkout, shownAs, checkedAtMs }: CopyDetailsProps) {
  const texts = useTexts()
  const bundle = (checkedAt: string) => supportBundle(checkout, shownAs, checkedAt)
  // Each poll moves the time of the last check, and draws nothing.
  const { copy, source, text, state } = useCopy(bundle(''), texts.detailsCopied, () =>
    bundle(new Date(checkedAtMs()).toISOString()),
  )
  return (
    <>
      <button type="button" className="pw-link" part="link" onClick={copy}>
        <Text>{state === 'copied' ? texts.copied : texts.copyDetails}</Text>
      </button>
      {state === 'failed' ? (
        <code className="pw-bundle" ref={source} dir="ltr" {...asIs}>
          {text}
        </code>
      ) : null}
    </>
  )
}
