/** The component in the frame. */
import { Paywindow, type Texts } from 'paywindow'
import 'paywindow/styles.css'
import { type CSSProperties, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { propertiesOf } from './appearance.ts'
import { endpoint, open } from './frame.ts'

const place = document.createElement('main')
document.body.append(place)
const root = createRoot(place)

open(async (reference, appearance) => {
  const texts = await textsOf(appearance.locale)
  root.render(
    <StrictMode>
      <div style={propertiesOf(appearance) as CSSProperties}>
        <Paywindow
          key={reference}
          endpoint={endpoint}
          reference={reference}
          theme={appearance.theme}
          locale={appearance.locale}
          texts={texts}
        />
      </div>
    </StrictMode>,
  )
})

/** A shop imports them with its bundler. */
async function textsOf(locale: string): Promise<Partial<Texts>> {
  if (locale === 'en') return {}
  const response = await fetch(`locales/${locale}.json`)
  return response.json()
}
