// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import { fakeMerchant } from '../react/fake-merchant.testing.ts'
import { type OpenOptions, openPaywindow } from './dialog.ts'
import { register } from './register.ts'

const target = { endpoint: '/paywindow', reference: 'cart-42' }

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.stubGlobal('fetch', fakeMerchant(checkoutFixture).fetch)
  register()
  // jsdom has the element but not its methods. As in browsers the focus comes back at once, and the
  // event in a task of its own.
  const focused = new WeakMap<HTMLDialogElement, Element | null>()
  HTMLDialogElement.prototype.showModal = function showModal() {
    if (this.open || !this.isConnected) throw new DOMException('', 'InvalidStateError')
    focused.set(this, document.activeElement)
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    if (!this.open) return
    this.open = false
    const before = focused.get(this)
    if (before instanceof HTMLElement) before.focus()
    setTimeout(() => this.dispatchEvent(new Event('close')))
  }
})

afterEach(async () => {
  // Nothing of one test is left for the next.
  for (const dialog of dialogs()) dialog?.close()
  await tasks()
  document.documentElement.removeAttribute('style')
  vi.unstubAllGlobals()
})

/** Lets the tasks run that are waiting. */
async function tasks(): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve)))
}

const pageStyle = () => document.documentElement.style

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

  it('announces its closing, by the event and by the callback, whoever closed it', async () => {
    const onClose = vi.fn()
    const onEvent = vi.fn()
    const { element } = await open({ onClose })
    element.addEventListener('paywindow:close', onEvent)
    await act(async () => dialogs()[0]?.close())
    await tasks()
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

  it('is touched by nothing that the page says of its elements', async () => {
    const page = vi.fn()
    const names = ['wheel', 'touchmove', 'pointerdown', 'focusin', 'keydown', 'click']
    for (const name of names) document.addEventListener(name, page)
    const { element, close } = await open()
    const host = document.body.lastElementChild
    expect(host instanceof HTMLElement && host.style.getPropertyPriority('all')).toBe('important')
    for (const name of names) element.dispatchEvent(new Event(name, { bubbles: true, composed: true }))
    // A drawer of the page takes the others for something outside of it.
    expect(page.mock.calls.map(([{ type }]) => type)).toEqual(['click'])
    for (const name of names) document.removeEventListener(name, page)
    await act(async () => close())
  })

  it('passes on what happens', async () => {
    const onStatusChange = vi.fn()
    const { close } = await open({ onStatusChange })
    await act(() => vi.waitFor(() => expect(onStatusChange).toHaveBeenCalledTimes(2)))
    expect(onStatusChange.mock.calls.map(([change]) => change.status)).toEqual(['preparing', 'waiting'])
    await act(async () => close())
  })

  it.each(['same', 'other'])('opens the %s cart again in the task in which the first was closed', async (which) => {
    const onClose = vi.fn()
    const first = await open({ onClose })
    const next = { reference: which === 'same' ? 'cart-42' : 'cart-43' }
    let second: ReturnType<typeof openPaywindow> | undefined
    await act(async () => {
      first.close()
      second = openPaywindow({ ...target, ...next })
    })
    expect(onClose).toHaveBeenCalledTimes(1)
    await tasks()
    expect(onClose).toHaveBeenCalledTimes(1)
    expect(dialogs().map((dialog) => dialog?.open)).toEqual([true])
    expect(dialogs()[0]?.contains(second?.element ?? null)).toBe(true)
    expect(pageStyle().overflow).toBe('hidden')
    expect(await open(next)).toBe(second)
    // What was closed stays so, and takes nothing else with it.
    await act(async () => first.close())
    await tasks()
    expect(dialogs().map((dialog) => dialog?.open)).toEqual([true])
    await act(async () => second?.close())
    expect(dialogs()).toEqual([])
    expect(pageStyle().overflow).toBe('')
  })

  it.each(['same', 'other'])(
    'opens the %s cart after Esc, before the page is notified of the closing',
    async (which) => {
      const onClose = vi.fn()
      await open({ onClose })
      await act(async () => {
        dialogs()[0]?.close()
        openPaywindow({ ...target, reference: which === 'same' ? 'cart-42' : 'cart-43' })
      })
      await tasks()
      expect(onClose).toHaveBeenCalledTimes(1)
      expect(dialogs().map((dialog) => dialog?.open)).toEqual([true])
      expect(pageStyle().overflow).toBe('hidden')
      dialogs()[0]?.close()
      await tasks()
      expect(pageStyle().overflow).toBe('')
    },
  )

  it('gives the page back what it had of its own, with its priority, and the focus, however many were open', async () => {
    pageStyle().setProperty('overflow', 'scroll', 'important')
    const button = document.body.appendChild(document.createElement('button'))
    button.focus()
    await open()
    await open({ reference: 'cart-43' })
    const third = await open({ reference: 'cart-44' })
    expect(pageStyle().overflow).toBe('hidden')
    await act(async () => third.close())
    await tasks()
    expect(pageStyle().getPropertyValue('overflow')).toBe('scroll')
    expect(pageStyle().getPropertyPriority('overflow')).toBe('important')
    expect(document.activeElement).toBe(button)
    button.remove()
  })

  it('leaves the page to a drawer that was open before, and lets it scroll while this is open', async () => {
    pageStyle().overflow = 'hidden'
    const { close } = await open()
    pageStyle().overflow = ''
    await act(async () => close())
    await tasks()
    expect(pageStyle().overflow).toBe('')
  })

  it.each([
    ['without a reference', { reference: undefined }],
    ['without an endpoint', { endpoint: undefined as never }],
  ])('opened %s has words in it', async (_, options) => {
    const { element, close } = await open(options)
    expect(element.shadowRoot).toBeNull()
    expect(element.textContent).toBe('This payment cannot start')
    await act(async () => close())
  })

  it('has words in it where the page lets nothing be drawn', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(ShadowRoot.prototype, 'replaceChildren').mockImplementationOnce(() => {
      throw new TypeError('not in this browser')
    })
    const { element, close } = await open()
    expect(element.shadowRoot?.innerHTML).toBe('<slot></slot>')
    expect(element.textContent).toBe('This payment cannot start')
    await act(async () => close())
    vi.restoreAllMocks()
  })

  it('lets the page go when the page takes it away, as routers that replace the body do', async () => {
    const onClose = vi.fn()
    const first = await open({ onClose })
    await act(async () => document.documentElement.replaceChild(document.createElement('body'), document.body))
    expect(pageStyle().overflow).toBe('')
    expect(onClose).toHaveBeenCalledTimes(1)
    const second = await open()
    expect(second).not.toBe(first)
    expect(dialogs().map((dialog) => dialog?.open)).toEqual([true])
    await act(async () => second.close())
  })

  it('opens anew where a router has emptied the body in the same task', async () => {
    const first = await open()
    document.body.replaceChildren()
    const second = await open()
    expect(second).not.toBe(first)
    expect(dialogs().map((dialog) => dialog?.open)).toEqual([true])
    expect(pageStyle().overflow).toBe('hidden')
    await act(async () => second.close())
    expect(pageStyle().overflow).toBe('')
  })

  it('may be opened again from within onClose', async () => {
    let again: ReturnType<typeof openPaywindow> | undefined
    const first = await open({
      onClose: () => {
        again = openPaywindow(target)
      },
    })
    await act(async () => first.close())
    await tasks()
    expect(dialogs().map((dialog) => dialog?.open)).toEqual([true])
    expect(await open()).toBe(again)
    await act(async () => again?.close())
    expect(pageStyle().overflow).toBe('')
  })

  it.each(['onStatusChange', 'onConfirmed', 'onError', 'onClose'] as const)(
    'shows the same when %s fails, and reports it',
    async (name) => {
      const reported: unknown[] = []
      const onPageError = (event: ErrorEvent) => {
        event.preventDefault()
        reported.push(event.error)
      }
      window.addEventListener('error', onPageError)
      const paid = checkoutFixture({ revision: 3, status: 'confirmed', phase: 'paid', cart: 'paid' })
      const merchant = fakeMerchant(() => paid)
      vi.stubGlobal('fetch', merchant.fetch)
      if (name === 'onError') merchant.on('POST /checkouts', () => 'down')
      for (const fail of [
        () => Promise.reject(new Error('late')),
        () => {
          throw new Error('at once')
        },
      ]) {
        const onError = vi.fn()
        const { element, close } = await open({ onError, [name]: fail })
        await act(() => vi.waitFor(() => expect(reported).not.toEqual([])).catch(() => undefined))
        expect(element.shadowRoot?.querySelector('.pw')).not.toBeNull()
        await act(async () => close())
        await tasks()
        expect(reported).not.toEqual([])
        expect(onError.mock.calls.some(([{ code }]) => code === 'callback_failed')).toBe(name !== 'onError')
        expect(dialogs()).toEqual([])
        expect(pageStyle().overflow).toBe('')
        reported.length = 0
      }
      window.removeEventListener('error', onPageError)
    },
  )
})
