/**
 * One thing that goes into the payer's wallet: readable, selectable, and copied to the character with one press.
 */
import type { ReactNode } from 'react'
import { fill } from '../../locales/format.ts'
import { useSetting } from '../setting.ts'
import { asIs } from './asIs.ts'
import { Text } from './Text.tsx'
import { useCopy } from './useCopy.ts'

interface CopyFieldProps {
  /** Exactly what a wallet accepts. */
  readonly text: string
  /** What it is, for the button and the announcement. */
  readonly name: string
  /** What stands over it; the name when left out. */
  readonly label?: string
  /** How it is shown. Its text content must be `text`. */
  readonly children: ReactNode
  /** Stands after the value and is neither selected nor copied with it. */
  readonly unit?: string
  /** `must` stands out: without it the deposit is lost. */
  readonly tone?: 'must'
  /** A sentence under the value. */
  readonly hint?: string
  readonly onCopied?: () => void
}

export function CopyField({ text, name, label = name, children, unit, tone, hint, onCopied }: CopyFieldProps) {
  const { texts } = useSetting()
  const { copy, source, state } = useCopy(text, fill(texts.copiedName, { name }))
  const isCopied = state === 'copied'
  return (
    <div className="pw-field" part="field" data-tone={tone}>
      <span className="pw-label">{label}</span>
      <span className="pw-value" dir="ltr">
        <bdi className="pw-exact" {...asIs} ref={source}>
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
        aria-label={fill(isCopied ? texts.copiedName : texts.copyName, { name })}
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
    </div>
  )
}
