/**
 * What is known of the money that arrived, in numbers: asked for, received, missing or coming back.
 */
import type { Arrival, Checkout, Price } from '../../contract/checkout.ts'
import type { WidgetTexts } from '../../locales/en.ts'
import { fill } from '../../locales/format.ts'
import { writtenTime } from '../../locales/written.ts'
import { useSetting } from '../setting.ts'
import { Rows } from './Receipt.tsx'
import { Say } from './Say.tsx'
import { useUtc } from './TimeOfDay.tsx'
import { useTexts } from './use-texts.ts'

interface ArrivedProps {
  readonly arrival: Arrival | undefined
  /** Left out where the money came to another checkout of the cart. */
  readonly asked?: Price
  /** Milliseconds since 1970. */
  readonly seenAtMs?: number
}

/** Amounts, row by row. */
export function Arrived({ arrival, asked, seenAtMs }: ArrivedProps) {
  const { locale } = useSetting()
  const texts = useTexts()
  const zone = useUtc()
  // A server's time says its zone.
  const style = { timeStyle: zone ? 'long' : 'short', ...zone } as const
  const written = (price: Price | undefined) => price && `${price.amount} ${price.asset}`
  const received = arrival?.received ?? (arrival?.kind === 'exact' ? asked : undefined)
  const isReturning = arrival?.kind === 'returning'
  const rows = [
    [texts.asked, written(asked)],
    [texts.received, written(received) ?? (isReturning ? undefined : texts.notReported)],
    [texts.missing, written(arrival?.due)],
    [texts.comingBack, written(arrival?.returned) ?? (isReturning ? texts.notReported : undefined)],
    [texts.stepSeen, seenAtMs ? writtenTime(new Date(seenAtMs), locale, style) : undefined],
  ] as const
  return <Rows rows={rows} />
}

/** What was asked for, in the coin to be sent or, where only the price is shown, in that. */
export function askedOf({ amount, asset, price, arrival }: Checkout): Price {
  const { asset: shown } = arrival?.received ?? {}
  return shown === price.asset && shown !== asset.symbol ? price : { asset: asset.symbol, amount }
}

/**
 * Title and text for money that differs from what was asked for; undefined where it does not, or
 * that is not known.
 */
export function wordsFor(
  { arrival, merchant }: Checkout,
  texts: WidgetTexts,
): { readonly title: string; readonly text: string } | undefined {
  const words = (title: string, text: string) => {
    const byItself = fill(texts.byItself, { merchant: merchant.name })
    return { title, text: `${text} ${byItself}`.trim() }
  }
  switch (arrival?.kind) {
    case 'short':
      return words(texts.shortTitle, texts.ifShort)
    case 'over':
      return words(texts.overTitle, arrival?.returned ? '' : texts.ifOver)
    case 'other':
      return words(texts.otherTitle, texts.ifOther)
    case 'late':
      return words(texts.lateTitle, texts.ifLate)
    case 'returning':
      return words(texts.returningTitle, '')
    default:
      return undefined
  }
}

/** What happened, after the one thing that matters now: nothing more is to be sent. */
export function SendNothing({ text }: { text: string }) {
  const { sendNothing } = useTexts()
  return <Say text="{strong} {text}" values={{ strong: <b>{sendNothing}</b>, text }} />
}
