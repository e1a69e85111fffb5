/**
 * Something to read, folded until it is opened. Its content is drawn only then.
 */
import { type ReactNode, useState } from 'react'

interface FoldProps {
  readonly summary: string
  readonly className?: string
  readonly onOpen?: () => void
  /** Opens it once, when it turns true. */
  readonly isOpen?: boolean
  readonly children?: ReactNode
}

/** A summary that opens to show its content. */
export function Fold({ summary, className = '', onOpen, isOpen, children }: FoldProps) {
  const [wasOpened, setOpened] = useState(false)
  return (
    <details
      className={`pw-details ${className}`}
      open={isOpen}
      onToggle={(event) => {
        if (!event.currentTarget.open) return
        setOpened(true)
        onOpen?.()
      }}
    >
      <summary>{summary}</summary>
      {wasOpened ? children : null}
    </details>
  )
}
