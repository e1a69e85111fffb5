import { expect, it } from 'vitest'
import { defaultAppearance, snippetOf } from './appearance.ts'

it('sets nothing that is as it is by itself', () => {
  expect(snippetOf(defaultAppearance)).toBe(
    '<script src="/paywindow.js" defer></script>\n<pay-window endpoint="/paywindow" reference="cart-42"></pay-window>',
  )
})

it('sets what was chosen, by property or attribute', () => {
  const appearance = { accent: '#e4572e', radius: '4px', font: 'Georgia, serif', theme: 'dark', locale: 'de' } as const
  expect(snippetOf(appearance)).toBe(
    [
      '<style>pay-window { --pw-accent: #e4572e; --pw-radius: 4px; --pw-font: Georgia, serif }</style>',
      '<script src="/paywindow.js" defer></script>',
      '<pay-window endpoint="/paywindow" reference="cart-42" theme="dark" locale="de"></pay-window>',
    ].join('\n'),
  )
})
