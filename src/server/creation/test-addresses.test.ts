import { expect, it } from 'vitest'
import { createTestShop } from '../shop.testing.ts'

it('an account for tests that the server was not told of leaves one order behind in a minute, not one for each try', async () => {
  const shop = createTestShop({ test: false })
  const tryIt = () => shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
  for (let tries = 0; tries < 4; tries++)
    expect(await tryIt()).toMatchObject({ status: 502, json: { error: { code: 'service_invalid' } } })
  expect(shop.sandbox.orders()).toHaveLength(1)
  expect(shop.errors[0]?.message).toMatch(
    /^The service's answer has a test address\. With the sandbox or a test account set test: true: "/,
  )
  await shop.pass(60_000)
  await tryIt()
  expect(shop.sandbox.orders()).toHaveLength(2)
})
