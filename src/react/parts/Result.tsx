/**
 * The shape that all results share: a mark, a heading that can take the focus, a sentence, and what
 * to do next.
 */
import { type ReactNode, useEffect, useRef } from 'react'
import { Text } from './Text.tsx'

interface ResultProps {
  /** The round thing above the title: a `Seal`, or the coin. */
  readonly mark: ReactNode
  readonly title: string
  /** What happened and what it means, in a sentence or two. */
  readonly text: ReactNode
  /**
   * Set for a result that the payer's own press brought, because the pressed button is then gone.
   */
  readonly takesFocus?: boolean
  /** The next step, or more to read. */
  readonly children?: ReactNode
}

/** A final screen: mark, title, text, and what comes next. */
export function Result({ mark, title, text, takesFocus = false, children }: ResultProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <div className="pw-result">
      {mark}
      <h2 className="pw-title" part="title" tabIndex={-1} ref={heading}>
        <Text>{title}</Text>
      </h2>
      <p className="pw-note">{typeof text === 'string' ? <Text>{text}</Text> : text}</p>
      {children ? <div className="pw-next">{children}</div> : null}
    </div>
  )
}
