/**
 * A deposit was seen. The payer has nothing left to do. What is known of it stands in numbers; what
 * happens if it differs from the one asked for is one press away, and opens by itself where nothing
 * is said for long.
 */
import { useEffect, useState } from 'react'
import { asIs } from '#as-is'
import { networkName } from '../../checkout/network-names.ts'
import type { Checkout } from '../../contract/checkout.ts'
import { Arrived, askedOf, SendNothing, wordsFor } from '../parts/Arrived.tsx'
import { Coin } from '../parts/Coin.tsx'
import { Differences } from '../parts/Differences.tsx'
import { Fold } from '../parts/Fold.tsx'
import { Result } from '../parts/Result.tsx'
import { Say } from '../parts/Say.tsx'
import { Seal } from '../parts/Seal.tsx'
import { SupportLink } from '../parts/SupportLink.tsx'
import { useTexts } from '../parts/use-texts.ts'

/** Where nobody says what is usual on a network. */
const usually = 15

/** The payment was seen and is being confirmed, or differs from what was asked for. */
export function Seen({ checkout }: { checkout: Checkout }) {
  const texts = useTexts()
  const { merchant, arrival, history, network, networkInfo, expiresAt, expiresInMs } = checkout
  const minutes = networkInfo?.usualMinutes
  // Not by `Date.parse`, which a page's library for dates may have replaced.
  const seenAtMs = Number(new Date(history.find(({ phase }) => phase === 'seen')?.at ?? ''))
  // The device's clock may be wrong: the answer says by that of the server when it was written.
  const writtenAtMs = Number(new Date(expiresAt)) - expiresInMs
  const isLong = usePassed(seenAtMs + (minutes ?? usually) * 60_000 - writtenAtMs)
  const named = { merchant: <b {...asIs}>{merchant.name}</b> }
  const different = wordsFor(checkout, texts)
  return (
    <Result
      key={different?.title}
      mark={
        different ? (
          <Seal sign="deposit" tone="warn" />
        ) : (
          <Coin form={isLong ? 'still' : 'busy'} {...checkout.asset} networkInfo={checkout.networkInfo} />
        )
      }
      title={different?.title ?? texts.seenTitle}
      text={
        different ? (
          <SendNothing text={different.text} />
        ) : (
          <>
            {minutes ? (
              <Say
                text={`${isLong ? texts.seenLong : texts.seenUsually} `}
                values={{ ...named, network: <span {...asIs}>{networkName(network, networkInfo)}</span>, minutes }}
              />
            ) : null}
            <Say text={texts.seenText} values={named} />
          </>
        )
      }
    >
      <Arrived arrival={arrival} asked={askedOf(checkout)} seenAtMs={seenAtMs} />
      {different ? (
        <SupportLink href={merchant.supportUrl} />
      ) : (
        <Fold summary={texts.seenDiffers} isOpen={isLong && !arrival}>
          <Differences checkout={checkout} />
        </Fold>
      )}
    </Result>
  )
}

/** Whether some milliseconds have passed. What is not known never passes. */
function usePassed(ms: number): boolean {
  const [hasPassed, setPassed] = useState(false)
  useEffect(() => {
    if (!(ms > 0)) return
    const timer = setTimeout(() => setPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasPassed || ms <= 0
}
