// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { fakeMerchant } from '../react/fakeMerchant.ts'
import { type OpenOptions, openPaywindow } from './dialog.ts'
import { register } from './register.ts'

const target = { endpoint: '/paywindow', reference: 'cart-42' }

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.stubGlobal('fetch', fakeMerchant(checkoutFixture).fetch)
  register()
  // jsdom has the element but not its methods.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
})

afterEach(() => vi.unstubAllGlobals())

async function open(options: Partial<OpenOptions> = {}) {
  let handle: ReturnType<typeof openPaywindow> | undefined
  await act(async () => {
    handle = openPaywindow({ ...target, ...options })
  })
  if (!handle) throw new Error('not opened')
  return handle
}

function dialogs(): (HTMLDialogElement | null | undefined)[] {
  return [...document.body.children].map((host) => host.shadowRoot?.querySelector('dialog'))
}

describe('openPaywindow', () => {
  it('opens a named modal dialog with a close button and the checkout, and locks the page behind it', async () => {
    const { element, close } = await open({ texts: { close: 'Schließen' } })
    const [dialog] = dialogs()
    expect(dialog?.open).toBe(true)
    expect(dialog?.ariaLabel).toBe('Payment')
    expect(dialog?.querySelector('button')?.ariaLabel).toBe('Schließen')
    expect(dialog?.contains(element)).toBe(true)
    expect(document.documentElement.style.overflow).toBe('hidden')
    await act(async () => close())
    expect(dialogs()).toEqual([])
    expect(document.documentElement.style.overflow).toBe('')
  })

  it('tells of its closing, by the event and by the callback, whoever closed it', async () => {
    const onClose = vi.fn()
    const onEvent = vi.fn()
    const { element } = await open({ onClose })
    element.addEventListener('paywindow:close', onEvent)
    await act(async () => dialogs()[0]?.close())
    expect(onClose).toHaveBeenCalledTimes(1)
    expect(onEvent).toHaveBeenCalledTimes(1)
  })

  it('is the same one when it is opened twice, and another one for another cart', async () => {
    const first = await open()
    expect(await open()).toBe(first)
    expect(dialogs()).toHaveLength(1)
    const other = await open({ reference: 'cart-43' })
    expect(other).not.toBe(first)
    expect(dialogs()).toHaveLength(1)
    await act(async () => other.close())
  })

  it('passes on what happens', async () => {
    const onStatusChange = vi.fn()
    const { close } = await open({ onStatusChange })
    await act(() => vi.waitFor(() => expect(onStatusChange).toHaveBeenCalledTimes(2)))
    expect(onStatusChange.mock.calls.map(([change]) => change.status)).toEqual(['preparing', 'waiting'])
    await act(async () => close())
  })
})
