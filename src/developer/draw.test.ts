// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'

const address = 'https://repository.example/blob/v1.0.0/docs/troubleshooting.md'

afterEach(() => vi.resetModules())

it.each([
  [address, address],
  ['node_modules/paywindow/docs/troubleshooting.md', undefined],
])('notes lead to %s, by a link where it is an address', async (docs, href) => {
  vi.doMock('./docs.ts', () => ({ docs }))
  const attach = vi.spyOn(Element.prototype, 'attachShadow')
  const { drawNotes } = await import('./draw.ts')
  drawNotes([{ words: 'The theme drak is unknown.', advice: 'Set `theme`.' }], () => undefined)
  const root: ShadowRoot = attach.mock.results.at(-1)?.value
  expect(root.querySelector('a')?.href).toBe(href)
  expect(root.textContent).toContain(href === undefined ? `More: ${docs}` : 'More in Troubleshooting')
  expect(root.querySelector('code')?.textContent).toBe('theme')
  drawNotes([], () => undefined)
})
