/**
 * One value for the payer's wallet: readable, selectable, and copied exactly, character for character, with one press.
 */
import type { ReactNode } from 'react'
import { asIs } from '#as-is'
import type { PanelTexts } from '../../locales/en.ts'
import { fill } from '../../locales/format.ts'
import { useSetting } from '../setting.ts'
import { Text } from './Text.tsx'
import { useCopy } from './use-copy.ts'

interface CopyStep {
  /** From 1. */
  readonly at: number
  readonly count: number
  readonly isDone: boolean
  /** The name of the value to copy after this one; undefined if there is none. */
  readonly next: string | undefined
}

interface CopyFieldProps {
  /** Exactly what a wallet accepts. */
  readonly text: string
  /** What the value is, for the button and the announcement. */
  readonly name: string
  /** Shown above the value. Default: the name. */
  readonly label?: string
  /** Set if this is one of several values that must all be copied. */
  readonly step?: CopyStep | undefined
  /** How the value is shown. Its text content must be `text`. */
  readonly children: ReactNode
  /** Shown after the value, but neither selected nor copied with it. */
  readonly unit?: string
  /** `must` makes the field stand out: without this value the deposit is lost. */
  readonly tone?: 'must'
  /** A sentence under the value. */
  readonly hint?: string
  readonly onCopied?: () => void
}

/** A value with its name and a button that copies it. */
export function CopyField({ text, name, label = name, step, children, unit, tone, hint, onCopied }: CopyFieldProps) {
  const { texts } = useSetting()
  const done = fill(texts.copiedName, { name })
  const { copy, source, state } = useCopy(
    text,
    step?.next ? `${done}. ${fill(texts.nextToCopy, { name: step.next })}` : done,
  )
  const isCopied = state === 'copied'
  const Field = step ? 'fieldset' : 'div'
  return (
    <Field
      className="pw-field"
      part="field"
      data-tone={tone}
      {...(step && { 'aria-label': stepName(step, name, texts) })}
    >
      <span className="pw-label">
        {step ? (
          <span className="pw-step" data-done={step.isDone} aria-hidden="true" {...asIs}>
            {step.at}
          </span>
        ) : null}
        <Text>{label}</Text>
      </span>
      <span className="pw-value" dir="ltr">
        <bdi
          className="pw-exact"
          {...asIs}
          ref={source}
          onCopy={(event) => {
            // Pages add their address to what is copied, or forbid it.
            event.clipboardData?.setData('text/plain', text)
            event.preventDefault()
            event.stopPropagation()
            onCopied?.()
          }}
        >
          {children}
        </bdi>
        {unit ? (
          <span className="pw-unit" {...asIs}>
            {unit}
          </span>
        ) : null}
      </span>
      <button
        type="button"
        className="pw-copy"
        part="copy"
        data-state={state}
        aria-label={isCopied ? done : fill(texts.copyName, { name })}
        onClick={async () => {
          if (await copy()) onCopied?.()
        }}
      >
        <Text>{isCopied ? texts.copied : texts.copy}</Text>
      </button>
      {state === 'failed' ? <span className="pw-hint">{texts.copyFailed}</span> : null}
      {hint ? (
        <span className="pw-hint" key={hint}>
          {hint}
        </span>
      ) : null}
    </Field>
  )
}

function stepName({ at, count, isDone }: CopyStep, name: string, texts: PanelTexts): string {
  const place = fill(texts.stepOf, { step: `${at}`, count: `${count}`, name })
  return isDone ? `${place}, ${texts.copied}` : place
}
