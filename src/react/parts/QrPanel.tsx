/**
 * The payment code, what it fills in, and the other codes that it can be.
 */
import { type ReactNode, useState } from 'react'
import { asIs } from '#as-is'
import { QrCode } from '#qr-code'
import { tagWord } from '../../checkout/network-names.ts'
import { type QrContent, type QrProfile, qrProfile } from '../../checkout/qr-profile.ts'
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import { useSetting } from '../setting.ts'
import { AssetIcon } from './AssetIcon.tsx'
import { Say } from './Say.tsx'
import { Text } from './Text.tsx'

interface Wording {
  readonly choice: string
  readonly label: string
  readonly why: ReactNode
}

/** The codes for a checkout. */
export function codesOf(checkout: Checkout): QrProfile {
  return qrProfile({ ...checkout, asset: checkout.asset.symbol })
}

/**
 * Characters of a code that has the coin at its heart: at level H it has 37 modules or fewer.
 * Larger codes with a coin are not read at half their size by every reader (`e2e/hearts.spec.ts`).
 */
const most = { capitals: 64, others: 44 }

/** The code, what it fills in, and the choice between codes. */
export function QrPanel({ checkout }: { checkout: Checkout }) {
  const { texts, announce } = useSetting()
  const { choices, first } = codesOf(checkout)
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
  const mostCharacters = /^[\dA-Z]*$/.test(choice.text) ? most.capitals : most.others
  // The code of a tag is so small that the coin would cover what says how to read it.
  const hasHeart = choice.content !== 'tag' && choice.text.length <= mostCharacters
  const lacksTag = checkout.tag !== null && choice.content !== 'addressAndTag'
  const { label, why } = wordings[choice.content]
  const pick = (content: QrContent) => {
    setPicked(content)
    announce(fill(wordings[content].label, { tag }))
  }
  const others = choices.filter(({ content }) => content !== choice.content)
  return (
    <div className="pw-qr">
      <div className="pw-code">
        <QrCode key={choice.text} text={choice.text} label={fill(label, { tag })} isStrong={hasHeart} />
        {hasHeart ? (
          <span className="pw-heart">
            <AssetIcon {...checkout.asset} networkInfo={checkout.networkInfo} />
          </span>
        ) : null}
      </div>
      <p className="pw-note" key={choice.content} data-tone={lacksTag ? 'must' : undefined}>
        {why}
      </p>
      {others.length > 0 ? (
        <p className="pw-row pw-codes">
          <span>{texts.otherCodes}</span>
          {others.map(({ content }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: so that the focus stays on a button.
            <button type="button" className="pw-link" part="link" key={place} onClick={() => pick(content)}>
              <Text>{wordings[content].choice}</Text>
            </button>
          ))}
        </p>
      ) : null}
    </div>
  )
}
