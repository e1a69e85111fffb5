// @vitest-environment jsdom
import { h, render } from 'preact'
import { expect, it } from 'vitest'
import { asIs } from './as-is.ts'

it('what no translator may touch says so, as preact draws it', () => {
  const place = document.createElement('div')
  render(h('bdi', asIs, '0.5'), place)
  expect(place.querySelector('bdi')?.getAttribute('translate')).toBe('no')
})
