// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PaywindowError } from '../../contract/errors.ts'
import { en } from '../../locales/en.ts'
import { SettingContext } from '../setting.ts'
import { Handover } from './Handover.tsx'

afterEach(cleanup)

const setting = { texts: en, locale: 'en', endpoint: '/paywindow', announce: () => undefined }

function open() {
  const details = document.querySelector('details')
  if (!details) throw new Error('nothing to open')
  details.open = !details.open
  // Browsers tell of several changes in a row once.
  return new Promise((resolve) => details.addEventListener('toggle', resolve, { once: true }))
}

describe('the way to another device', () => {
  const handOver = vi.fn()
  function show(handoverUrl: string | undefined, ofServer?: string) {
    handOver.mockReset().mockResolvedValue({ id: 'a1', token: 'look', untilMs: 0 })
    render(
      <SettingContext.Provider value={{ ...setting, handoverUrl }}>
        <Handover handOver={handOver} handoverUrl={ofServer} />
      </SettingContext.Provider>,
    )
  }

  it.each([undefined, 'capacitor://localhost/pay'])('is not offered where the shop names no page for it: %s', (url) => {
    show(url)
    expect(document.querySelector('details')).toBeNull()
  })

  it.each([
    [undefined, 'https://shop.example/paywindow/pay'],
    ['https://shop.example/own', 'https://shop.example/own'],
  ])('leads to the page of the server, where the shop names none: %s', async (own, page) => {
    show(own, 'https://shop.example/paywindow/pay')
    await open()
    expect(await screen.findByText(`${page}#paywindow=a1.look`)).toBeTruthy()
  })

  it('is made once, when it is asked for', async () => {
    show('https://shop.example/pay')
    expect(handOver).not.toHaveBeenCalled()
    await open()
    expect(await screen.findByText('https://shop.example/pay#paywindow=a1.look')).toBeTruthy()
    await open()
    await open()
    expect(handOver).toHaveBeenCalledTimes(1)
  })

  it('says that it is being made, and hands the link to the sheet that the device has for it', async () => {
    const share = vi.fn(async (_: unknown) => undefined)
    Object.defineProperty(navigator, 'share', { value: share, configurable: true })
    show('https://shop.example/pay')
    const made = Promise.withResolvers<unknown>()
    handOver.mockReturnValueOnce(made.promise)
    await open()
    expect((await screen.findByRole('status')).textContent).toBe(en.handoverMaking)
    made.resolve({ id: 'a1', token: 'look', untilMs: 0 })
    ;(await screen.findByRole('button', { name: en.share })).click()
    expect(screen.queryByRole('status')).toBeNull()
    expect(share).toHaveBeenCalledWith({ url: 'https://shop.example/pay#paywindow=a1.look' })
    Reflect.deleteProperty(navigator, 'share')
  })

  it('says when it could not be made, and is tried again when it is opened again', async () => {
    show('https://shop.example/pay')
    handOver.mockRejectedValueOnce(new PaywindowError('unreachable', 'no answer'))
    await open()
    expect((await screen.findByRole('alert')).textContent).toBe(en.handoverFailed)
    await open()
    await open()
    expect(await screen.findByText('https://shop.example/pay#paywindow=a1.look')).toBeTruthy()
  })
})
