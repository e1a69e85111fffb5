/** A ring, part of which has the accent's colour. */
import type { Ref } from 'react'

/** Props of `Ring`: the circle of the part, whose dashes are in percent. */
export interface RingProps {
  readonly drawn?: Ref<SVGCircleElement>
}

/** The clock's time left, or a confirmation. */
export function Ring({ drawn }: RingProps) {
  return (
    <svg className="pw-ring" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="10" />
      <circle ref={drawn} cx="12" cy="12" r="10" pathLength="100" />
    </svg>
  )
}
