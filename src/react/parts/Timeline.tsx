/**
 * What has happened to a payment and what comes next, in plain words.
 */
import type { Checkout } from '../../contract/checkout.ts'
import { Clock } from './Clock.tsx'
import { useTexts } from './useTexts.ts'

export function Timeline({ checkout }: { checkout: Checkout }) {
  const texts = useTexts()
  const isPaid = checkout.phase === 'paid'
  const timeOf = (phase: Checkout['phase']) => checkout.history.find((entry) => entry.phase === phase)?.at
  const steps = [
    { name: texts.stepQuote, state: 'done', at: checkout.createdAt },
    { name: texts.stepSeen, state: 'done', at: timeOf('seen') },
    ...(isPaid ? [] : [{ name: texts.stepConfirming, state: 'now', at: undefined }]),
    { name: texts.stepPaid, state: isPaid ? 'done' : 'next', at: timeOf('paid') },
  ]
  return (
    <ol className="pw-steps">
      {steps.map(({ name, state, at }) => (
        <li key={name} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span>{name}</span>
          {at ? <Clock atMs={Date.parse(at)} /> : null}
          {state === 'now' ? <span className="pw-soft">{texts.now}</span> : null}
        </li>
      ))}
    </ol>
  )
}
