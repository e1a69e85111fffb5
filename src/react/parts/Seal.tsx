/**
 * The round sign over a result.
 */

/** `good`: paid. `info`: under way. `warn`: something to do. `calm`: over, nothing to do. */
export type Tone = 'good' | 'info' | 'warn' | 'calm'

const shapes: Readonly<Record<Sign, string>> = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M12 7.5V12l3 2',
  deposit: 'M12 3.5v10.5M7.5 10l4.5 4.5 4.5-4.5M5 19.5h14',
  back: 'M8.5 4.5L4 9l4.5 4.5M4 9h9.5a5 5 0 0 1 0 10H9',
  cross: 'M7 7l10 10M17 7L7 17',
  cloud: 'M7 18.5h10a4 4 0 0 0 .6-7.95A6 6 0 0 0 6.2 9.1A4.75 4.75 0 0 0 7 18.5M12 8.5v4M12 15.4v.1',
}

/** The picture in the seal. */
export type Sign = 'check' | 'clock' | 'deposit' | 'back' | 'cross' | 'cloud'

/** A round sign above a title. */
export function Seal({ sign, tone }: { sign: Sign; tone: Tone }) {
  return (
    <span className="pw-seal" data-tone={tone}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={shapes[sign]} />
      </svg>
    </span>
  )
}
