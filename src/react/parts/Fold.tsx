/**
 * Something to read, folded until it is opened. Its content is drawn only then; on a server always,
 * because there may be no script.
 */
import { type ReactNode, useState } from 'react'
import { useSetting } from '../setting.ts'

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
  const { isDrawn = false } = useSetting()
  const [wasOpened, setOpened] = useState(isDrawn)
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
