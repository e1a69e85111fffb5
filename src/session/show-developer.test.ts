import { expect, it, vi } from 'vitest'
import { onLocalhost } from './show-developer.ts'

const show = vi.hoisted(() => vi.fn())
vi.mock('#developer', () => ({ show }))

it.each([
  ['localhost:3000', 1],
  ['shop.localhost:3000', 1],
  // Apps: capacitor://localhost, https://localhost, tauri.localhost.
  ['localhost', 0],
  ['tauri.localhost', 0],
  ['127.0.0.1:3000', 0],
  ['localhost.shop.example:3000', 0],
  ['notlocalhost:3000', 0],
  ['shop.example', 0],
])('notes on %s: %i', async (host, count) => {
  show.mockReset()
  onLocalhost({ location: { host } } as never, 'what is wrong')
  await vi.dynamicImportSettled()
  expect(show).toHaveBeenCalledTimes(count)
})
