/**
 * The gallery: every state of the widget side by side. The URL says what is shown, so that tests
 * and links can request it:
 * `?only=waiting,paid&lang=ar&theme=dark&width=320&method=XRP&skin=paper`, and `folds=open` for
 * what is folded.
 */
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import '../react/page.css'
import '../react/styles.css'
import './gallery.css'
import { loadLater } from '#later'
import { languages } from '../locales/languages.ts'
import { textsOf } from '../locales/texts-of.ts'
import { Widget } from '../react/Widget.tsx'
import { galleryMethods } from './methods.ts'
import { standingHandle } from './standing-handle.ts'
import { galleryStates } from './states.ts'

// What says how long ago something was stands still, too.
Date.now = () => Date.parse('2026-11-21T09:31:20.000Z')
const query = new URLSearchParams(location.search)
const only = query.get('only')?.split(',')
const folds = query.get('folds')
const themes = ['light', 'dark'] as const
const widths = [280, 320, 400, 560, 760]
const methodNames = Object.keys(galleryMethods)
const skins = import.meta.glob<string>('../react/themes/*.css', { eager: true, query: '?raw', import: 'default' })
const skinNames = ['none', ...Object.keys(skins).map((path) => path.replace(/^.*\/|\.css$/g, ''))]

function Gallery() {
  const [theme, setTheme] = useState(themes.find((name) => name === query.get('theme')) ?? 'light')
  const [width, setWidth] = useState(Number(query.get('width') ?? 400))
  const [language, setLanguage] = useState(languages.find((name) => name === query.get('lang')) ?? 'en')
  const [skin, setSkin] = useState(query.get('skin') ?? 'none')
  const [method, setMethod] = useState(query.get('method') ?? 'BTC')
  document.body.dataset.theme = theme
  document.documentElement.lang = language
  const asked = { theme, width: String(width), lang: language, method, skin, ...(only && { only: only.join(',') }) }
  history.replaceState(null, '', `?${new URLSearchParams({ ...asked, ...(folds && { folds }) })}`)
  useEffect(() => {
    if (folds === 'open') for (const fold of document.querySelectorAll('details')) fold.open = true
  }, [])
  const shown = galleryStates(method).filter(({ name }) => !only || only.includes(name))
  return (
    <main>
      <style>{skins[`../react/themes/${skin}.css`]}</style>
      <h1>Paywindow: every state</h1>
      <div className="gallery-switches">
        <Switch name="theme" values={themes} value={theme} onPick={setTheme} />
        <Switch name="skin" values={skinNames} value={skin} onPick={setSkin} />
        <Switch name="width" values={widths} value={width} onPick={setWidth} />
        <Switch name="language" values={languages} value={language} onPick={setLanguage} />
        <Switch name="method" values={methodNames} value={method} onPick={setMethod} />
      </div>
      <div className="gallery-states">
        {shown.map((state) => (
          <article className="gallery-state" key={state.name} id={state.name} style={{ width }}>
            <h2>{state.name}</h2>
            <Widget
              endpoint="/paywindow"
              handle={standingHandle(state)}
              theme={theme}
              locale={language}
              texts={textsOf(language)}
              handoverUrl="/pay"
              supportUrl="https://lantern.example/help"
            />
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
if (place) {
  // So that every state is drawn completely at once.
  await loadLater()
  createRoot(place).render(<Gallery />)
}
