/** Ends of quotes that the service writes in a way that is not known here. */
import { expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'

it.each([
  ['"soon"', ['service_invalid']],
  ['"2026-11-21"', ['service_invalid']],
  ['1200', []],
  ['"PT20M"', []],
  ['"2026-11-21T10:20:00Z"', []],
  ['0', []],
  ['null', []],
])('the end %s is reported: %j', async (json, codes) => {
  const shop = createTestShop({ sandbox: { expTime: { json } } })
  await shop.open()
  await shop.settle()
  expect(shop.errors.map(({ code }) => code)).toEqual(codes)
  if (codes.length > 0) expect(shop.errors[0]?.message).toContain(`ends the quote at ${json}, which cannot be read`)
})
