/**
 * The payment code, the other contents it can hold, and the reason for the one it holds.
 */
import { type ReactNode, useId, useState } from 'react'
import { asIs } from '#as-is'
import { QrCode } from '#qr-code'
import { tagWord } from '../../checkout/network-names.ts'
import { type QrContent, qrProfile } from '../../checkout/qr-profile.ts'
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import { useSetting } from '../setting.ts'
import { Say } from './Say.tsx'

interface Wording {
  readonly choice: string
  readonly label: string
  readonly why: ReactNode
}

/** The code, what it fills in, and the choice between codes. */
export function QrPanel({ checkout }: { checkout: Checkout }) {
  const { texts } = useSetting()
  const name = useId()
  const { choices, first } = qrProfile({ ...checkout, asset: checkout.asset.symbol })
  const [picked, setPicked] = useState<QrContent>(first)
  const choice = choices.find(({ content }) => content === picked) ?? choices[0]
  if (!choice) return null
  const tag = texts[tagWord(checkout.networkInfo)]
  const wordings: Readonly<Record<QrContent, Wording>> = {
    address: {
      choice: texts.address,
      label: texts.codeOfAddress,
      why:
        checkout.tag === null ? (
          <Say text={texts.whyAddress} values={{ asset: <span {...asIs}>{checkout.asset.symbol}</span> }} />
        ) : (
          fill(texts.whyAddressTag, { tag })
        ),
    },
    amount: { choice: texts.codeAmount, label: texts.codeOfAmount, why: texts.whyAmount },
    tag: { choice: tag, label: texts.codeOfTag, why: fill(texts.whyTag, { tag }) },
    addressAndTag: { choice: texts.codeBoth, label: texts.codeOfBoth, why: fill(texts.whyBoth, { tag }) },
  }
  const { label, why } = wordings[choice.content]
  return (
    <div className="pw-qr">
      <QrCode key={choice.text} text={choice.text} label={fill(label, { tag })} />
      {choices.length > 1 ? (
        <fieldset className="pw-switch">
          <legend className="pw-unseen">{texts.codeHolds}</legend>
          {choices.map(({ content }) => (
            <label key={content}>
              <input
                type="radio"
                // A form that the shop has around the component has nothing to do with it.
                form=""
                name={name}
                checked={content === choice.content}
                onChange={() => setPicked(content)}
              />
              <span>{wordings[content].choice}</span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <p className="pw-note" key={choice.content}>
        {why}
      </p>
      {choice.opensWallet ? (
        // Here, whatever the page's `<base target>` says: a wallet opens from no other tab, and a frame has its own.
        <a className="pw-button" part="button" href={choice.text} target="_self">
          {texts.openWallet}
        </a>
      ) : null}
    </div>
  )
}
