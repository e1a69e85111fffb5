// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { en } from '../locales/en.ts'
import { hasAddress, heading, openShop, paid, pass, seen } from './widget.testing.tsx'

const connection = vi.hoisted(() => ({ isBroken: true }))
vi.mock('./later-parts.tsx', (original) => {
  if (connection.isBroken) throw new TypeError('Failed to fetch dynamically imported module')
  return original()
})

const shop = openShop(async () => undefined)

describe('while the other screens cannot be loaded', () => {
  it('the panel stands as ever', async () => {
    await shop.show()
    expect(hasAddress()).toBe(true)
    expect(screen.getByRole('img', { name: en.codeOfAmount })).toBeTruthy()
  })

  it.each([
    ['seen', seen, en.stepSeen],
    ['paid', paid, en.stepPaid],
    ['canceled', { revision: 2, status: 'canceled', phase: 'ended' } as const, en.endedTitle],
    ['paid elsewhere', { cart: 'paid' } as const, en.stepPaid],
    ['seen elsewhere', { cart: 'seen' } as const, en.stepSeen],
  ])('a checkout that is %s is so in words, and its address is gone', async (_, change, words) => {
    await shop.show()
    shop.answerWith(change)
    await pass(6_000)
    expect(heading()).toBe(words)
    expect(screen.getByRole('button', { name: en.reload })).toBeTruthy()
    expect(hasAddress()).toBe(false)
  })

  it('the end of the quote takes the address away at once', async () => {
    await shop.show()
    await pass(20 * 60_000)
    expect(heading()).toBe(en.expiredTitle)
    expect(hasAddress()).toBe(false)
  })

  it('a cart that cannot be paid says so', async () => {
    await shop.show({ reference: '' })
    expect(heading()).toBe(en.refusedTitle)
  })
})

it('they are drawn as soon as they could be loaded, without another press', async () => {
  await shop.show()
  shop.answerWith(paid)
  await pass(6_000)
  expect(heading()).toBe(en.stepPaid)
  connection.isBroken = false
  await pass(3_000)
  await vi.waitFor(() => expect(heading()).toBe(en.paidTitle))
})
