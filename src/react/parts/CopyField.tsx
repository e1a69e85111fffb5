/**
 * One value for the payer's wallet: readable, selectable, and copied exactly, character for
 * character, with one press.
 */
import type { ReactNode, RefObject } from 'react'
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
  /** `must` makes the field stand out: without this value the deposit is lost. */
  readonly tone?: 'must'
  /** A sentence under the value. */
  readonly hint?: string
  readonly onCopied?: () => void
}

/** A value with its name and a button that copies it. */
export function CopyField({ text, name, label = name, step, children, tone, hint, onCopied }: CopyFieldProps) {
  const { texts } = useSetting()
  const copying = useCopying(text, name, onCopied, step?.next)
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
        <Exact className="pw-exact" {...copying}>
          {children}
        </Exact>
      </span>
      <CopyButton {...copying} />
      {hint ? (
        <span className="pw-hint" key={hint}>
          {hint}
        </span>
      ) : null}
    </Field>
  )
}

/** A value that can be copied, and what became of it. */
interface Copying {
  readonly text: string
  readonly name: string
  /** What is announced after copying. */
  readonly done: string
  readonly state: ReturnType<typeof useCopy>['state']
  readonly source: RefObject<HTMLElement | null>
  readonly copy: () => Promise<void>
  readonly onCopied: (() => void) | undefined
}

/** @param next - The name of the value to copy after this one. */
export function useCopying(text: string, name: string, onCopied?: () => void, next?: string): Copying {
  const { texts } = useSetting()
  const done = fill(texts.copiedName, { name })
  const { copy, source, state } = useCopy(text, next ? `${done}. ${fill(texts.nextToCopy, { name: next })}` : done)
  const press = async () => {
    if (await copy()) onCopied?.()
  }
  return { text, name, done, state, source, copy: press, onCopied }
}

/** The value itself. Selecting any of it selects all of it. */
export function Exact({
  text,
  source,
  onCopied,
  className,
  children,
}: Copying & { readonly className: string; readonly children: ReactNode }) {
  return (
    <bdi
      className={className}
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
  )
}

/** Copies the value, and says that it did, or that it could not. */
export function CopyButton({ name, done, state, copy }: Copying) {
  const { texts } = useSetting()
  const isCopied = state === 'copied'
  return (
    <>
      <button
        type="button"
        className="pw-copy"
        part="copy"
        data-state={state}
        aria-label={isCopied ? done : fill(texts.copyName, { name })}
        onClick={copy}
      >
        <Text>{isCopied ? texts.copied : texts.copy}</Text>
      </button>
      {state === 'failed' ? <span className="pw-hint">{texts.copyFailed}</span> : null}
    </>
  )
}

function stepName({ at, count, isDone }: CopyStep, name: string, texts: PanelTexts): string {
  const place = fill(texts.stepOf, { step: `${at}`, count: `${count}`, name })
  return isDone ? `${place}, ${texts.copied}` : place
}
