import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PaywindowError } from '../../contract/errors.ts'
import type { PaywindowOptions } from '../options.ts'
import { createPaywindow } from '../paywindow.ts'
import { cartOffer, requestOf } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'

const printed = vi.spyOn(console, 'error')
beforeEach(() => printed.mockImplementation(() => undefined))
afterEach(() => printed.mockReset())

const service = { baseUrl: 'https://service.example', accessToken: 'secret-token', subAccountId: 'sub' }
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function createShop(options: Partial<PaywindowOptions> = {}) {
  const paywindow = createPaywindow({
    service,
    store: createMemoryStore(),
    offer: () => cartOffer,
    ...options,
  })
  return async (reference = 'cart-42') => {
    const answer = await paywindow.fetch(requestOf('POST', '/checkouts', { body: { reference } }))
    return answer.json()
  }
}

const failing = new RangeError('no such cart')
const offer = () => {
  throw failing
}

it('says what the merchant’s own code threw, and prints it, where nobody else is told', async () => {
  const { error } = await createShop({ offer })()
  expect(error).toMatchObject({ code: 'internal', message: expect.not.stringContaining('no such cart') })
  expect(printed.mock.calls).toEqual([
    [
      `paywindow: callback_failed: offer threw RangeError: see its cause (incident ${error.incident}, caused by RangeError)`,
      failing,
    ],
  ])
})

it('says to a logger where the merchant’s own code threw, without its words', async () => {
  const error = vi.fn()
  for (const words of ['no such cart', '', 'RangeError', 'two lines\n    at secret (words:1:1)\nand more']) {
    const failingOffer = () => {
      throw new RangeError(words)
    }
    await createShop({ offer: failingOffer, logger: { ...silent, error } })()
    const [fields] = error.mock.lastCall ?? []
    expect(fields).toMatchObject({ code: 'callback_failed', causeName: 'RangeError' })
    expect(fields.causeAt).toMatch(/^\S*failingOffer .*\(.*print-error\.test\.ts:\d+:\d+\)$/)
  }
})

it.each([
  { name: 'onError', options: { onError: () => {} } },
  { name: 'a logger', options: { logger: silent } },
])('is silent where there is $name', async ({ options }) => {
  await createShop({ offer, ...options })()
  expect(printed).not.toHaveBeenCalled()
})

it('says that nothing listens at the service’s host, without the words of the cause', async () => {
  const refused = Object.assign(new Error('words of a socket'), { code: 'ECONNREFUSED' })
  const unreachable = async () => {
    throw new TypeError('secret-token', { cause: refused })
  }
  const creating = createShop({ service: { ...service, fetch: unreachable } })
  await creating()
  const lines = printed.mock.calls.flat().join('\n')
  expect(lines).toContain('ECONNREFUSED')
  expect(lines).not.toMatch(/secret-token|words of a socket/)
})

it('prints one line, whatever a reference has in it', async () => {
  await createShop({ offer })('a\u2028forged\u001b[2J')
  expect(printed.mock.calls).toHaveLength(1)
  expect(printed.mock.calls[0]?.[0]).toMatch(/^paywindow: \S[ -~]*$/)
})

it.each([
  [
    'throws',
    () => {
      throw new Error('no log')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no log'))],
])('is not lost where onError %s', async (_, onError) => {
  const { error } = await createShop({ offer, onError })()
  await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(2))
  expect(printed).toHaveBeenCalledWith('paywindow: onError threw', expect.objectContaining({ message: 'no log' }))
  expect(printed).toHaveBeenCalledWith(expect.stringContaining(`callback_failed: offer threw RangeError`), failing)
  expect(error.code).toBe('internal')
})

it('says what the store says of itself, also where that stopped other work', async () => {
  const full = new PaywindowError(
    'internal',
    'The store /shop/paywindow.sqlite cannot be used: database or disk is full',
  )
  const store = { ...createMemoryStore(), listDue: () => Promise.reject(full), lease: () => Promise.reject(full) }
  const paywindow = createPaywindow({ service, store, offer: () => null })
  await paywindow.watchOnce().catch(() => undefined)
  await paywindow.close()
  expect(printed.mock.calls.map(([line]) => line)).toContainEqual(expect.stringContaining(`: ${full.message}`))
})
