/** How the widget is set up in the playground, and the code that sets it up like that in a shop. */

/** What a visitor can choose; an empty text leaves the default. */
export interface Appearance {
  readonly accent: string
  readonly radius: string
  readonly font: string
  readonly theme: 'auto' | 'light' | 'dark'
  readonly locale: string
}

/** As the widget is by itself. */
export const defaultAppearance: Appearance = { accent: '', radius: '', font: '', theme: 'auto', locale: 'en' }

/** The custom properties that differ from their defaults. */
export function propertiesOf({ accent, radius, font }: Appearance): Readonly<Record<string, string>> {
  const properties = { '--pw-accent': accent, '--pw-radius': radius, '--pw-font': font }
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== ''))
}

/** The attributes that differ from their defaults. */
export function attributesOf({ theme, locale }: Appearance): Readonly<Record<string, string>> {
  return { ...(theme !== 'auto' && { theme }), ...(locale !== defaultAppearance.locale && { locale }) }
}

/** HTML for a page of the shop. */
export function htmlOf(appearance: Appearance): string {
  const attributes = Object.entries(attributesOf(appearance)).map(([name, value]) => ` ${name}="${value}"`)
  return [
    ...styleOf('pay-window', appearance),
    '<script src="/paywindow.js" defer></script>',
    `<pay-window endpoint="/paywindow" reference="cart-42"${attributes.join('')}></pay-window>`,
  ].join('\n')
}

/** React for a page of the shop. */
export function reactOf(appearance: Appearance): string {
  const { locale } = appearance
  const texts = locale === defaultAppearance.locale ? [] : [`import texts from 'paywindow/locales/${locale}.json'`]
  const properties = Object.entries(attributesOf(appearance)).map(([name, value]) => ` ${name}="${value}"`)
  return [
    "import { Paywindow } from 'paywindow'",
    ...texts,
    "import 'paywindow/styles.css'",
    ...styleOf(':root', appearance).map((style) => `// in your styles: ${style.replace(/<.?style>/g, '')}`),
    `<Paywindow endpoint="/paywindow" reference="cart-42"${properties.join('')}${texts.length > 0 ? ' texts={texts}' : ''} />`,
  ].join('\n')
}

function styleOf(selector: string, appearance: Appearance): readonly string[] {
  const properties = Object.entries(propertiesOf(appearance)).map(([name, value]) => `${name}: ${value}`)
  return properties.length > 0 ? [`<style>${selector} { ${properties.join('; ')} }</style>`] : []
}
