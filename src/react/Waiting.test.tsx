// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture, xrpFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'
import { de } from '../locales/de.ts'
import { en, type Texts } from '../locales/en.ts'
import { fill } from '../locales/format.ts'
import { SettingContext } from './setting.ts'
import { Waiting } from './states/Waiting.tsx'

const xrp = checkoutFixture({ id: 'xrp', ...xrpFixture })

const writeText = vi.fn(async (_text: string) => undefined)
const announce = vi.fn()

beforeEach(() => {
  writeText.mockReset()
  announce.mockReset()
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
})
afterEach(cleanup)

function show(checkout: Checkout = checkoutFixture(), texts: Texts = en, locale = 'en') {
  const nothing = () => undefined
  return render(
    <SettingContext.Provider value={{ texts, locale, endpoint: '/paywindow/', handoverUrl: undefined, announce }}>
      <Waiting
        checkout={checkout}
        pending={null}
        trouble={null}
        actionError={null}
        handOver={() => Promise.reject(new Error('not asked for'))}
        endsAtMs={() => 0}
        change={nothing}
        renew={nothing}
      />
    </SettingContext.Provider>,
  )
}

function texts(selector: string): (string | null)[] {
  return [...document.querySelectorAll(selector)].map((element) => element.textContent)
}

describe('what is to be copied', () => {
  it('is on the screen to the character, groups and all', () => {
    show(xrp)
    expect(texts('.pw-exact')).toEqual([xrp.address, '4087552241', '22.841'])
  })

  it('is copied to the character, and told when it happened', async () => {
    show(xrp)
    fireEvent.click(screen.getByRole('button', { name: 'Copy Address' }))
    expect(await screen.findByRole('button', { name: 'Address copied' })).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith(xrp.address)
    expect(announce).toHaveBeenCalledWith('Address copied')
    fireEvent.click(screen.getByRole('button', { name: 'Copy Amount' }))
    await screen.findByRole('button', { name: 'Amount copied' })
    expect(writeText).toHaveBeenLastCalledWith('22.841')
  })

  it('has a point and nothing else between its digits where people write a comma', async () => {
    const copied = async (name: string) => {
      fireEvent.click(screen.getByRole('button', { name: fill(de.copyName, { name }) }))
      await screen.findByRole('button', { name: fill(de.copiedName, { name }) })
      return writeText.mock.lastCall?.[0]
    }
    show(checkoutFixture({ ...xrp, amount: '1234567.891' }), de, 'de-DE')
    expect((1234567.891).toLocaleString('de-DE')).toBe('1.234.567,891')
    expect(await copied(de.amount)).toBe('1234567.891')
    expect(await copied(de.address)).toBe(xrp.address)
    expect(await copied(de.destinationTag)).toBe(xrp.tag)
  })

  it('is not called copied when it was not: it is selected, and the payer is told', async () => {
    writeText.mockRejectedValue(new DOMException('blocked', 'NotAllowedError'))
    show()
    fireEvent.click(screen.getByRole('button', { name: 'Copy Address' }))
    expect(await screen.findByText(en.copyFailed)).toBeTruthy()
    await waitFor(() => expect(getSelection()?.toString()).toBe(checkoutFixture().address))
    expect(announce).toHaveBeenCalledWith(en.copyFailed)
    expect(screen.queryByRole('button', { name: 'Address copied' })).toBeNull()
  })

  it('is selected where there is no clipboard at all', async () => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
    show()
    fireEvent.click(screen.getByRole('button', { name: 'Copy Amount' }))
    expect(await screen.findByText(en.copyFailed)).toBeTruthy()
    await waitFor(() => expect(getSelection()?.toString()).toBe('0.00123456'))
  })
})

describe('the network', () => {
  it.each([
    ['BTC', 'bitcoin', 'Only on the Bitcoin network'],
    ['USDT', 'erc-20', 'Only on the Ethereum (ERC-20) network'],
    ['USDT', 'trc-20', 'Only on the Tron (TRC-20) network'],
    ['NEW', 'a-new-network', 'Only on the a-new-network network'],
  ])('of %s over %s is named under the amount: %s', (symbol, network, sentence) => {
    show(checkoutFixture({ asset: { symbol, name: symbol }, network }))
    expect(screen.getByText((_, element) => element?.textContent === sentence)).toBeTruthy()
    expect(texts('.pw-lead b')).toEqual([sentence.replace('Only on the ', '').replace(/ network$/, '')])
  })
})

describe('a tag', () => {
  it('is a numbered step of its own, with a warning, and the next step after the address', async () => {
    show(xrp)
    expect(texts('.pw-label')).toEqual(['1 · To this address', '2 · Destination tag, always needed', '3 · Amount'])
    expect(screen.getByText(en.tagWarning)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Copy Address' }))
    expect(await screen.findByText(en.tagNext)).toBeTruthy()
  })

  it('is shown when it is 0, which is a tag', () => {
    show(checkoutFixture({ ...xrp, tag: '0' }))
    expect(texts('.pw-exact')).toEqual([xrp.address, '0', '22.841'])
  })
})

describe('the code', () => {
  it('holds what the network is best paid with, says why, and can be switched', () => {
    show(xrp)
    expect(screen.getByTitle('Payment code with the address')).toBeTruthy()
    fireEvent.click(screen.getByRole('radio', { name: 'Destination tag' }))
    expect(screen.getByTitle('Code with the Destination tag')).toBeTruthy()
    expect(screen.getByText(en.whyTag)).toBeTruthy()
  })

  it('opens a wallet where its text is a URI', () => {
    show()
    expect(screen.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')).toBe(
      'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.00123456',
    )
    fireEvent.click(screen.getByRole('radio', { name: 'Address' }))
    expect(screen.queryByRole('link')).toBeNull()
  })
})

describe('the icon', () => {
  it('is fetched below the endpoint and gives way to the drawn one when it does not load', () => {
    show(checkoutFixture({ asset: { symbol: 'BTC', name: 'Bitcoin', icon: 'icons/btc' } }))
    const image = document.querySelector('img')
    expect(image?.getAttribute('src')).toBe('/paywindow/icons/btc')
    if (image) fireEvent.error(image)
    expect(document.querySelector('img')).toBeNull()
    expect(document.querySelector('.pw-icon svg')).toBeTruthy()
  })
})
