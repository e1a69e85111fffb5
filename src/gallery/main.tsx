/**
 * The gallery: every state of the widget side by side. The address bar holds what is shown, so that tests and links can ask
 * for it: `?only=waiting,paid&theme=dark&width=320&dir=rtl`.
 */
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import '../react/styles.css'
import './gallery.css'
import { Widget } from '../react/Widget.tsx'
import { standingHandle } from './standingHandle.ts'
import { galleryStates } from './states.ts'

const query = new URLSearchParams(location.search)
const only = query.get('only')?.split(',')
const shown = galleryStates.filter(({ name }) => !only || only.includes(name))
const themes = ['light', 'dark'] as const
const widths = [280, 320, 400, 560, 760]
const directions = ['ltr', 'rtl']

function Gallery() {
  const [theme, setTheme] = useState(themes.find((name) => name === query.get('theme')) ?? 'light')
  const [width, setWidth] = useState(Number(query.get('width') ?? 400))
  const [direction, setDirection] = useState(query.get('dir') ?? 'ltr')
  document.body.dataset.theme = theme
  return (
    <main>
      <div className="gallery-switches">
        <Switch name="theme" values={themes} value={theme} onPick={setTheme} />
        <Switch name="width" values={widths} value={width} onPick={setWidth} />
        <Switch name="direction" values={directions} value={direction} onPick={setDirection} />
      </div>
      <div className="gallery-states">
        {shown.map((state) => (
          <article className="gallery-state" key={state.name} id={state.name} style={{ width }} dir={direction}>
            <h2>{state.name}</h2>
            <Widget endpoint="/paywindow" handle={standingHandle(state)} theme={theme} />
          </article>
        ))}
      </div>
    </main>
  )
}

interface SwitchProps<Value> {
  readonly name: string
  readonly values: readonly Value[]
  readonly value: Value
  readonly onPick: (value: Value) => void
}

function Switch<Value extends string | number>({ name, values, value, onPick }: SwitchProps<Value>) {
  return (
    <label>
      {name}{' '}
      <select
        value={value}
        onChange={(event) => {
          const picked = values.find((one) => String(one) === event.currentTarget.value)
          if (picked !== undefined) onPick(picked)
        }}
      >
        {values.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  )
}

const place = document.getElementById('gallery')
if (place) createRoot(place).render(<Gallery />)
