import { expect, it } from 'vitest'
import { pickMethod } from './offers.ts'

it('a method that is not offered is named with some that are, however many there are', () => {
  const methods = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ asset: `A${at}`, network: 'erc-20', name: `Asset ${at}` }))
  const tried = (count: number) => () => pickMethod(methods(count), 'BTC', 'bitcoin')
  expect(tried(2)).toThrow('This cart cannot be paid with BTC on bitcoin: choose A0 on erc-20, A1 on erc-20')
  expect(tried(500)).toThrow(/A9 on erc-20 and others$/)
})
