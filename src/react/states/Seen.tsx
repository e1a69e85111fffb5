/**
 * A deposit was seen. The payer has nothing left to do. What is known of it stands in numbers; what happens if it differs from
 * the one asked for is one press away, and opens by itself where nothing is said for long.
 */
import { useEffect, useState } from 'react'
import { asIs } from '#as-is'
import type { Checkout } from '../../contract/checkout.ts'
import { Arrived, askedOf, SendNothing, wordsFor } from '../parts/Arrived.tsx'
import { Differences } from '../parts/Differences.tsx'
import { Fold } from '../parts/Fold.tsx'
import { Result } from '../parts/Result.tsx'
import { Say } from '../parts/Say.tsx'
import { SupportLink } from '../parts/SupportLink.tsx'
import { useTexts } from '../parts/use-texts.ts'

/** A payment of the right amount is usually confirmed within this time. */
const usualMs = 15 * 60_000

/** The payment was seen and is being confirmed, or differs from what was asked for. */
export function Seen({ checkout }: { checkout: Checkout }) {
  const texts = useTexts()
  const { merchant, arrival, history } = checkout
  const seenAtMs = Date.parse(history.find(({ phase }) => phase === 'seen')?.at ?? '')
  const isLong = usePassed(seenAtMs + usualMs)
  const different = wordsFor(checkout, texts)
  return (
    <Result
      key={different?.title}
      sign="deposit"
      tone={different ? 'warn' : 'info'}
      title={different?.title ?? texts.seenTitle}
      text={
        different ? (
          <SendNothing text={different.text} />
        ) : (
          <Say text={texts.seenText} values={{ merchant: <b {...asIs}>{merchant.name}</b> }} />
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
  const [hasPassed, setPassed] = useState(() => Date.now() > atMs)
  useEffect(() => {
    if (Number.isNaN(atMs)) return
    const timer = setTimeout(() => setPassed(true), atMs - Date.now())
    return () => clearTimeout(timer)
  }, [atMs])
  return hasPassed
}
