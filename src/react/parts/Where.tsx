/**
 * Where the payer's crypto is, which says what helps to send it. A device that is held in the hand
 * mostly has the wallet; a desktop mostly has none. The last answer is remembered.
 */
import { useId, useState } from 'react'
import { useSetting } from '../setting.ts'
import { recall, remember } from './remembered.ts'

const places = ['here', 'other', 'exchange'] as const

/** A wallet on this device, one on another device, or an account at an exchange. */
export type Place = (typeof places)[number]

/** The place, and what sets and remembers it. */
export function usePlace(): readonly [Place, (place: Place) => void] {
  const { isDrawn, isHeld } = useSetting()
  const [place, setPlace] = useState(() => {
    // What stands on the screen already does not change.
    const last = isDrawn ? null : recall('where')
    return places.find((each) => each === last) ?? (isHeld ? 'here' : 'other')
  })
  return [
    place,
    (picked) => {
      setPlace(picked)
      remember('where', picked)
    },
  ]
}

/** The question, with three answers. */
export function Where({ place, onPick }: { place: Place; onPick: (place: Place) => void }) {
  const { texts } = useSetting()
  const name = useId()
  const words = { here: texts.whereHere, other: texts.whereOther, exchange: texts.whereExchange }
  return (
    <fieldset className="pw-where">
      <legend>{texts.whereTitle}</legend>
      {places.map((each) => (
        <label key={each}>
          <input
            type="radio"
            // A form that the shop has around the component has nothing to do with it.
            form=""
            name={name}
            checked={each === place}
            onChange={() => onPick(each)}
          />
          <span className="pw-place">{words[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
