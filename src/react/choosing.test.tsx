// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { offerFixture } from '../checkout/fixture.ts'
import type { Method } from '../contract/checkout.ts'
import { openShop, pass } from './widget.testing.tsx'

const shop = openShop()
afterEach(() => localStorage.clear())

const coin = (asset: string, network: string): Method => ({ asset, network, name: asset })
const methods = [
  coin('BTC', 'bitcoin'),
  coin('USDT', 'trc-20'),
  coin('XRP', 'ripple'),
  coin('usdc', 'base'),
  coin('DAI', 'erc-20'),
  coin('USTC', 'terra'),
]

async function coinsShown(): Promise<readonly (string | null)[]> {
  shop.merchant.on('POST /checkouts', () => ({ json: { v: 1, offer: { ...offerFixture, methods } } }))
  cleanup()
  await shop.show()
  return [...document.querySelectorAll('.pw-method b')].map(({ textContent }) => textContent)
}

it('begins with coins that keep their value, and else stays as the shop has it', async () => {
  expect(await coinsShown()).toEqual(['USDT', 'usdc', 'DAI', 'BTC', 'XRP', 'USTC'])
})

it('begins with the coin that was used last, on its own network', async () => {
  await coinsShown()
  fireEvent.click(screen.getByRole('button', { name: /^XRP/ }))
  await pass(0)
  expect(localStorage.getItem('paywindow-coin')).toBe('XRP ripple')
  expect((await coinsShown())[0]).toBe('XRP')
  localStorage.setItem('paywindow-coin', 'USDT erc-20')
  expect((await coinsShown())[0]).toBe('USDT')
})
