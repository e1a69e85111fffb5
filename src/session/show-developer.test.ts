import { expect, it, vi } from 'vitest'
import { onLocalhost } from './show-developer.ts'

const show = vi.hoisted(() => vi.fn())
vi.mock('#developer', () => ({ show }))

it.each([
  ['localhost', 1],
  ['shop.localhost', 1],
  ['127.0.0.1', 0],
  ['localhost.shop.example', 0],
  ['notlocalhost', 0],
  ['shop.example', 0],
])('notes on %s: %i', async (hostname, count) => {
  show.mockReset()
  onLocalhost({ location: { hostname } } as never, 'what is wrong')
  await vi.dynamicImportSettled()
  expect(show).toHaveBeenCalledTimes(count)
})
