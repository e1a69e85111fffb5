/** One of two ways to go on that weigh the same: what it does, and for whom it is. */
import { useId } from 'react'
import { act } from './act.ts'
import { Text } from './Text.tsx'

interface WayButtonProps {
  readonly name: string
  readonly why: string
  /** What it asks of a server, see `act`. */
  readonly asks: 'renew' | 'look'
  readonly isBusy?: boolean
  readonly onClick: (() => void) | undefined
}

/** A quiet button with a second line, which describes it. */
export function WayButton({ name, why, asks, isBusy = false, onClick }: WayButtonProps) {
  const id = useId()
  return (
    <button
      {...act(asks)}
      className="pw-button pw-way"
      part="button"
      data-look="quiet"
      aria-disabled={isBusy}
      aria-busy={isBusy}
      aria-labelledby={`${id}n`}
      aria-describedby={`${id}w`}
      onClick={onClick}
    >
      <span id={`${id}n`}>
        <Text>{name}</Text>
      </span>
      <span id={`${id}w`} className="pw-soft">
        <Text>{why}</Text>
      </span>
    </button>
  )
}
