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
import { useSetting } from '../setting.ts'

/** Where nobody says what is usual on a network. */
const usually = 15

/** The payment was seen and is being confirmed, or differs from what was asked for. */
export function Seen({ checkout }: { checkout: Checkout }) {
  const texts = useTexts()
  const { merchant, arrival, history, network, networkInfo } = checkout
  const minutes = networkInfo?.usualMinutes
  const seenAtMs = Date.parse(history.find(({ phase }) => phase === 'seen')?.at ?? '')
  const isLong = usePassed(seenAtMs + (minutes ?? usually) * 60_000)
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

/** Whether a time has passed, in milliseconds since 1970. One that is not known never passes. */
function usePassed(atMs: number): boolean {
  const { drawnAtMs } = useSetting()
  const [hasPassed, setPassed] = useState(() => (drawnAtMs ?? Date.now()) > atMs)
  useEffect(() => {
    if (Number.isNaN(atMs)) return
    const timer = setTimeout(() => setPassed(true), atMs - Date.now())
    return () => clearTimeout(timer)
  }, [atMs])
  return hasPassed
}
