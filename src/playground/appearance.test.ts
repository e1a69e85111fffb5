import { expect, it } from 'vitest'
import { defaultAppearance, htmlOf, reactOf } from './appearance.ts'

it('sets nothing that is as it is by itself', () => {
  expect(htmlOf(defaultAppearance)).toBe(
    '<script src="/paywindow.js" defer></script>\n<pay-window endpoint="/paywindow" reference="cart-42"></pay-window>',
  )
})

it('sets what was chosen, by property or attribute', () => {
  const appearance = { accent: '#e4572e', radius: '4px', font: 'Georgia, serif', theme: 'dark', locale: 'de' } as const
  expect(htmlOf(appearance)).toBe(
    [
      '<style>pay-window { --pw-accent: #e4572e; --pw-radius: 4px; --pw-font: Georgia, serif }</style>',
      '<script src="/paywindow.js" defer></script>',
      '<pay-window endpoint="/paywindow" reference="cart-42" theme="dark" locale="de"></pay-window>',
    ].join('\n'),
  )
})

it('writes the same for React', () => {
  const appearance = { ...defaultAppearance, accent: '#e4572e', theme: 'dark', locale: 'de' } as const
  expect(reactOf(appearance)).toBe(
    [
      "import { Paywindow } from 'paywindow'",
      "import texts from 'paywindow/locales/de.json'",
      "import 'paywindow/styles.css'",
      '// in your styles: :root { --pw-accent: #e4572e }',
      '<Paywindow endpoint="/paywindow" reference="cart-42" theme="dark" locale="de" texts={texts} />',
    ].join('\n'),
  )
})
