// @vitest-environment jsdom
/** What the payer is told about fees, wrong amounts and refunds, where it is of use. */
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openShop, paid, readFold, seen } from './widget.testing.tsx'

const shop = openShop()

it('beside the code, that what the wallet filled in has to be compared', async () => {
  await shop.show()
  expect(screen.getByText(/^Fills in address and amount: check both in your wallet\./)).toBeTruthy()
})

it('beside the code with the address alone, that the tag and the amount have to be entered too', async () => {
  shop.answerWith({
    asset: { symbol: 'XRP', name: 'XRP' },
    network: 'ripple',
    address: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn',
    tag: '7',
  })
  await shop.show()
  expect(
    screen.getByText(
      'Holds the address only, not the Destination tag. Enter the Destination tag and the amount yourself.',
    ),
  ).toBeTruthy()
})

it('with a deposit, what may happen when it is short, over, late or of another asset', async () => {
  shop.answerWith(seen)
  await shop.show()
  const text = readFold('Sent another amount or coin, or late?')
  for (const word of ['Arrived late', 'Too little', 'Too much', 'Another coin']) expect(text).toContain(word)
  expect(text).toContain('Lantern Books can look it up')
})

it('when it is paid, what may happen to what was sent too much', async () => {
  shop.answerWith(paid)
  await shop.show()
  expect(readFold('Sent too much?')).toContain('you may get back what is over')
})
