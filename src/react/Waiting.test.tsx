// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture, xrpFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'
import { de } from '../locales/de.ts'
import { en, type Texts } from '../locales/en.ts'
import { es } from '../locales/es.ts'
import { fill } from '../locales/format.ts'
import { isHeld } from './decoration.ts'
import { loadLater } from './Later.tsx'
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
    <SettingContext.Provider
      value={{ texts, locale, endpoint: '/paywindow/', handoverUrl: undefined, announce, isHeld: isHeld() }}
    >
      <Waiting
        checkout={checkout}
        pending={null}
        trouble={null}
        actionError={null}
        handOver={() => Promise.reject(new Error('not asked for'))}
        endsAtMs={() => 0}
        timeLeftMs={() => 600_000}
        change={nothing}
        renew={nothing}
        back={nothing}
        checkedAtMs={() => 0}
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
    expect(texts('.pw-number')).toEqual(['22.841'])
    expect(texts('.pw-exact')).toEqual([xrp.address, '4087552241'])
  })

  it('is copied to the character, and says so when it happened', async () => {
    show(xrp)
    fireEvent.click(screen.getByRole('button', { name: 'Copy Address' }))
    expect(await screen.findByRole('button', { name: 'Address copied' })).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith(xrp.address)
    expect(announce).toHaveBeenCalledWith('Address copied. Next to copy: Destination tag')
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

  it('is not called copied when it was not: it is selected, and the payer is informed', async () => {
    writeText.mockRejectedValue(new DOMException('blocked', 'NotAllowedError'))
    show()
    fireEvent.click(screen.getByRole('button', { name: 'Copy Address' }))
    expect(await screen.findByText(en.copyFailed)).toBeTruthy()
    await waitFor(() => expect(getSelection()?.toString()).toBe(checkoutFixture().address))
    expect(announce).toHaveBeenCalledWith(en.copyFailed)
    expect(screen.queryByRole('button', { name: 'Address copied' })).toBeNull()
  })

  it('is copied the older way where there is no clipboard, and the page hears nothing of it', async () => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
    const clipboard = new Map<string, string>()
    const heard = vi.fn()
    document.addEventListener('copy', heard)
    const command = vi.fn(() => {
      const event = new Event('copy', { bubbles: true, cancelable: true })
      document.body.dispatchEvent(Object.assign(event, { clipboardData: { setData: clipboard.set.bind(clipboard) } }))
      return event.defaultPrevented
    })
    Object.assign(document, { execCommand: command })
    show(xrp)
    fireEvent.click(screen.getByRole('button', { name: 'Copy Destination tag' }))
    expect(await screen.findByRole('button', { name: 'Destination tag copied' })).toBeTruthy()
    expect([...clipboard]).toEqual([['text/plain', '4087552241']])
    expect(heard).not.toHaveBeenCalled()
    // What it does not do is not called done, whatever it says.
    command.mockReturnValue(true)
    fireEvent.click(screen.getByRole('button', { name: 'Copy Amount' }))
    expect(await screen.findByText(en.copyFailed)).toBeTruthy()
    Reflect.deleteProperty(document, 'execCommand')
    document.removeEventListener('copy', heard)
  })

  it('is selected where the clipboard does not answer', async () => {
    vi.useFakeTimers()
    writeText.mockReturnValue(new Promise(() => undefined))
    show()
    fireEvent.click(screen.getByRole('button', { name: 'Copy Amount' }))
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(screen.getByText(en.copyFailed)).toBeTruthy()
    expect(getSelection()?.toString()).toBe('0.00123456')
    vi.useRealTimers()
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
    ['BTC', 'bitcoin', 'Use only the Bitcoin network'],
    ['USDT', 'erc-20', 'Use only the Ethereum (ERC-20) network'],
    ['USDT', 'trc-20', 'Use only the Tron (TRC-20) network'],
    ['NEW', 'a-new-network', 'Use only the a-new-network network'],
  ])('of %s over %s is named under the amount: %s', (symbol, network, sentence) => {
    show(checkoutFixture({ asset: { symbol, name: symbol }, network }))
    expect(screen.getByText((_, element) => element?.textContent === sentence)).toBeTruthy()
    expect(texts('.pw-lead b')).toEqual([sentence.replace('Use only the ', '').replace(/ network$/, '')])
  })
})

describe('a tag', () => {
  const groups = () => screen.getAllByRole('group', { name: /^Step/ }).map((group) => group.getAttribute('aria-label'))
  const hint = () => texts('.pw-field .pw-hint').join()
  async function copy(name: string) {
    fireEvent.click(screen.getByRole('button', { name: `Copy ${name}` }))
    await screen.findByRole('button', { name: `${name} copied` })
    return announce.mock.lastCall?.[0]
  }

  it('is a numbered step of its own; each is ticked when it was copied, and what is missing is named', async () => {
    show(xrp)
    expect(texts('.pw-label')).toEqual(['1To this address', '2Destination tag, required'])
    expect(groups()).toEqual(['Step 1 of 2, Address', 'Step 2 of 2, Destination tag'])
    expect(hint()).toBe(en.tagWarning)
    expect(await copy('Address')).toBe('Address copied. Next to copy: Destination tag')
    expect(groups()[0]).toBe('Step 1 of 2, Address, Copied')
    expect(hint()).toBe(en.tagNext)
    expect(await copy('Destination tag')).toBe('Destination tag copied. Next to copy: Amount')
    expect(hint()).toBe(en.tagPaste)
    expect(await copy('Amount')).toBe('Amount copied')
    expect(texts('.pw-step[data-done="true"]')).toEqual(['1', '2'])
  })

  it('is copied to the character by hand too, whatever the page does to what is copied', () => {
    const page = vi.fn()
    document.addEventListener('copy', page)
    show(xrp)
    for (const value of document.querySelectorAll('.pw-exact, .pw-number')) {
      const setData = vi.fn()
      const isLeftToTheBrowser = fireEvent.copy(value, { clipboardData: { setData } })
      expect(setData.mock.calls).toEqual([['text/plain', value.textContent]])
      expect(isLeftToTheBrowser).toBe(false)
    }
    expect(page).not.toHaveBeenCalled()
    document.removeEventListener('copy', page)
  })

  it('is named as missing whatever was copied first, also by hand', async () => {
    show(xrp)
    expect(await copy('Amount')).toBe('Amount copied. Next to copy: Address')
    const [address] = document.querySelectorAll('.pw-exact')
    if (address) fireEvent.copy(address)
    await waitFor(() => expect(groups()[0]).toBe('Step 1 of 2, Address, Copied'))
    expect(await copy('Destination tag')).toBe('Destination tag copied')
  })

  it('keeps its tick when its button says again what it does', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    show(xrp)
    await copy('Destination tag')
    await act(() => vi.advanceTimersByTimeAsync(4_000))
    vi.useRealTimers()
    expect(screen.getByRole('button', { name: 'Copy Destination tag' }).textContent).toBe('Copy')
    expect(groups()[1]).toBe('Step 2 of 2, Destination tag, Copied')
  })

  it('is no step where there is none', () => {
    show()
    expect(screen.queryAllByRole('group', { name: /Step/ })).toEqual([])
    expect(texts('.pw-label')).toEqual(['To this address'])
  })

  it('is shown when it is 0, which is a tag', () => {
    show(checkoutFixture({ ...xrp, tag: '0' }))
    expect(texts('.pw-exact')).toEqual([xrp.address, '0'])
  })
})

describe('where the crypto is', () => {
  const pick = (name: string) => fireEvent.click(screen.getByRole('radio', { name }))
  const picked = () => texts('.pw-where :checked + span')
  const link = () => screen.queryByRole('link', { name: 'Open in wallet' })
  afterEach(() => localStorage.clear())

  it('is another device, unless the page is held in the hand: a code, and what else it can be', () => {
    show(xrp)
    expect(picked()).toEqual(['Another device'])
    expect(screen.getByTitle('Payment code with the address')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Destination tag' }))
    expect(screen.getByTitle('Code with the Destination tag')).toBeTruthy()
    expect(screen.getByText(fill(en.whyTag, { tag: 'Destination tag' }))).toBeTruthy()
    expect(link()).toBeNull()
  })

  it('is this device, where the page is held in the hand', () => {
    const matchMedia = vi.fn((query: string) => ({ matches: query === '(pointer: coarse)' }))
    Object.assign(globalThis, { matchMedia })
    show()
    Reflect.deleteProperty(globalThis, 'matchMedia')
    expect(picked()).toEqual(['Wallet here'])
    expect(document.querySelector('.pw-qr')).toBeNull()
    expect(link()?.getAttribute('href')).toBe('bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.00123456')
    // In the page itself, whatever its `<base target>` says.
    expect(link()?.getAttribute('target')).toBe('_self')
  })

  it('is remembered, also by a page that forbids its storage as long as it stands', () => {
    show()
    pick('Exchange')
    cleanup()
    show()
    expect(picked()).toEqual(['Exchange'])
    const storage = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('forbidden', 'SecurityError')
    })
    pick('Wallet here')
    expect(picked()).toEqual(['Wallet here'])
    storage.mockRestore()
  })

  it('has no link to a wallet where wallets know none, and says what to do where none opened', async () => {
    // The list of wallets that is loaded later takes the link over.
    await loadLater()
    vi.useFakeTimers({ shouldAdvanceTime: true })
    show(xrp)
    pick('Wallet here')
    expect(link()).toBeNull()
    cleanup()
    show()
    fireEvent.click(link() ?? document.body)
    await act(() => vi.advanceTimersByTimeAsync(1_900))
    expect(screen.queryByRole('alert')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(200))
    expect(screen.getByRole('alert').textContent).toBe(en.nothingOpened)
    vi.useRealTimers()
  })

  it('at an exchange, is sent in steps: the network by its name there, each field, and what has to arrive', async () => {
    await loadLater()
    show(xrp)
    pick('Exchange')
    expect(texts('.pw-fields .pw-field')).toEqual([
      '1Choose this network there: XRP (XRP Ledger)',
      expect.stringMatching(/^2To this address/),
      expect.stringMatching(/^3Destination tag, required/),
      '4Exactly 22.841 XRP must arrive. If the exchange takes its fee from that, add the fee on top.',
    ])
    expect(screen.getByRole('group', { name: 'Step 3 of 4, Destination tag' })).toBeTruthy()
    cleanup()
    show()
    expect(screen.getByRole('group', { name: 'Step 2 of 3, Address' })).toBeTruthy()
    await waitFor(() => expect(document.querySelector('.pw-fields time')).toBeTruthy())
  })
})

describe('an amount', () => {
  it.each([
    ['22.841', de, 'de', '= 22,841'],
    ['22.84', de, 'de', undefined],
    ['0.841', de, 'de', undefined],
    ['22.841', en, 'en', undefined],
    // Spanish in Mexico, where the comma groups thousands.
    ['22.841', es, 'es-MX', undefined],
  ])('of %s is explained where it could be read as thousands', (amount, spoken, locale, told) => {
    show({ ...xrp, amount }, spoken, locale)
    expect(document.querySelector('.pw-title > .pw-amount + .pw-soft')?.textContent).toBe(told)
    expect(document.querySelector('.pw-number')?.textContent).toBe(amount)
  })
})

describe('the icon', () => {
  const told = { kind: 'base', name: 'Base', exchangeName: 'BASE', tagWord: 'tag', needsTag: false } as const
  const sources = () => [...document.querySelectorAll('.pw-chip img')].map((image) => image.getAttribute('src'))

  it('is fetched below the endpoint, over a letter that stays when it does not load', () => {
    show(checkoutFixture({ asset: { symbol: 'BTC', name: 'Bitcoin', icon: 'icons/coin-btc' } }))
    expect(sources()).toEqual(['/paywindow/icons/coin-btc'])
    const image = document.querySelector('img')
    if (image) fireEvent.error(image)
    expect(sources()).toEqual([])
    expect(texts('.pw-icon')).toEqual(['B'])
  })

  it('has the network\u2019s in its corner, where that is another one', () => {
    const asset = { symbol: 'ETH', name: 'Ether', icon: 'icons/coin-eth' }
    show(checkoutFixture({ asset, network: 'base', networkInfo: { ...told, icon: 'icons/coin-base' } }))
    expect(sources()).toEqual(['/paywindow/icons/coin-eth', '/paywindow/icons/coin-base'])
    cleanup()
    show(checkoutFixture({ asset, network: 'erc-20', networkInfo: { ...told, icon: 'icons/coin-eth' } }))
    expect(sources()).toEqual(['/paywindow/icons/coin-eth'])
  })
})
