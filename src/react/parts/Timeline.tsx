/**
 * What has happened to a payment and what comes next, in plain words.
 */
import type { Checkout } from '../../contract/checkout.ts'
import { TimeOfDay } from './TimeOfDay.tsx'
import { useTexts } from './use-texts.ts'

/** What has happened and what comes next. */
export function Timeline({ checkout }: { checkout: Checkout }) {
  const texts = useTexts()
  const steps = [
    { name: texts.stepQuote, state: 'done', at: checkout.createdAt },
    { name: texts.stepSeen, state: 'done', at: checkout.history.find(({ phase }) => phase === 'seen')?.at },
    { name: texts.stepConfirming, state: 'now', at: undefined },
    { name: texts.stepPaid, state: 'next', at: undefined },
  ] as const
  return (
    <ol className="pw-steps">
      {steps.map(({ name, state, at }) => (
        <li key={name} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span>{name}</span>
          {at ? <TimeOfDay atMs={Date.parse(at)} /> : null}
          {state === 'now' ? <span className="pw-soft">{texts.now}</span> : null}
        </li>
      ))}
    </ol>
  )
}
