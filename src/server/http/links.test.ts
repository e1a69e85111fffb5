import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CartRecord } from '../core/types.ts'
import { createIds } from '../records/ids.ts'
import { cartKind } from '../records/record-kinds.ts'
import { createTestShop } from '../shop.testing.ts'
import { readReference } from './exchange.ts'
import { cookieOf, createLinks, endedCookies, type SignedLink } from './links.ts'

const secret = '0123456789abcdef0123456789abcdef'
const hourMs = 3_600_000
const asks = { by: 'payer', title: 'Lanterns for all', asset: 'USD', min: '1', max: '500' }
let nowMs = 1_795_255_200_000
let carts: Map<string, CartRecord>

function open(...secrets: (string | null)[]) {
  const of = (reference: string) => carts.get(reference) ?? cartKind.absent(reference)
  return createLinks({
    secrets: secrets.length === 0 ? [secret] : secrets.filter((each) => each !== null),
    now: () => nowMs,
    ids: createIds((length) => crypto.getRandomValues(new Uint8Array(length))),
    repository: {
      readCart: async (reference) => of(reference),
      updateCart: async (reference, change) => {
        const changed = change(of(reference))
        carts.set(reference, changed)
        return changed
      },
    },
  })
}

beforeEach(() => {
  nowMs = 1_795_255_200_000
  carts = new Map()
})

/** Every name that a browser may ask for. */
const references = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }).filter((text) => {
  try {
    return readReference(text) === text
  } catch {
    return false
  }
})

describe('a token', () => {
  it('says its cart, whatever the cart is called', async () => {
    await fc.assert(
      fc.asyncProperty(references, async (reference) => {
        const { token, ...made } = await open().make({ reference, validForMs: hourMs })
        expect(open().read(token)).toEqual({ ...made, token, reference })
        expect(token).toMatch(/^[\w.-]+$/)
      }),
    )
  })

  it('is short enough for a code on paper', async () => {
    expect((await open().make({ reference: 'invoice-2026-000123', validForMs: hourMs })).token.length).toBeLessThan(135)
  })

  it('is nothing when a character of it is another', async () => {
    const { token } = await open().make({ reference: 'cart-42', validForMs: hourMs })
    for (const [at, character] of [...token].entries()) {
      const other = character === 'a' ? 'b' : 'a'
      expect(open().read(token.slice(0, at) + other + token.slice(at + 1))).toBeNull()
    }
    expect(open().read(`.${token}`)).toBeNull()
  })

  it('that is too long for a code is not made', async () => {
    const returnUrl = `https://shop.example/${'ü'.repeat(1_500)}`
    const made = open().make({ reference: 'cart-42', validForMs: hourMs, returnUrl })
    await expect(made).rejects.toMatchObject({
      code: 'invalid_options',
      message: 'The link has more than 2000 characters, too many for a code: shorten returnUrl',
    })
  })

  it('is read with whatever a mail has put behind it or between its characters', async () => {
    const { token } = await open().make({ reference: 'cart-42', validForMs: hourMs })
    const foreign = fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => text.replace(/[\w.-]/g, ''))
    const common = fc.constantFrom(
      '.',
      ',',
      ';',
      ':',
      '!',
      '?',
      ')',
      ']',
      '>',
      '"',
      "'",
      '*',
      '_',
      '…',
      '」',
      '=\r\n',
      '\n> ',
    )
    const behind = fc.oneof(common, foreign, fc.string({ unit: 'grapheme' }))
    fc.assert(
      fc.property(fc.nat(token.length), fc.oneof(common, foreign), behind, (at, between, after) => {
        const put = /^[\w.-]/.test(between) ? '' : between
        expect(open().read(token.slice(0, at) + put + token.slice(at) + after)).toMatchObject({ token })
      }),
    )
  })

  it('never says anything but what was signed', async () => {
    const { token } = await open().make({ reference: 'cart-42', validForMs: hourMs })
    const piece = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 3 }), fc.stringMatching(/^[\w.-]{1,3}$/))
    fc.assert(
      fc.property(fc.nat(token.length), fc.nat(4), piece, (at, removed, put) => {
        const read = open().read(token.slice(0, at) + put + token.slice(at + removed))
        if (read) expect(read).toMatchObject({ token, reference: 'cart-42' })
      }),
      { numRuns: 500 },
    )
  })

  it.each(['', '.', '..', 'a.b', 'a.b.c.d.e', '.'.repeat(2_000), '\u0000'])('is not %j', (token) => {
    expect(open().read(token)).toBeNull()
    expect(open(null).read(token)).toBeNull()
  })

  it('is not believed by who has another secret, or none', async () => {
    const { token } = await open().make({ reference: 'cart-42', validForMs: hourMs })
    expect(open('another secret of 32 characters!').read(token)).toBeNull()
    expect(open(null).read(token)).toBeNull()
  })

  it('is believed by who has its secret among others, of which the first signs', async () => {
    const other = 'another secret of 32 characters!'
    const [old, changed] = [open(), open(other, secret)]
    const before = await old.make({ reference: 'cart-42', validForMs: hourMs })
    expect(changed.read(before.token)).not.toBeNull()
    const after = await changed.make({ reference: 'cart-42', validForMs: hourMs })
    expect([old.read(after.token), open(other).read(after.token)?.reference]).toEqual([null, 'cart-42'])
  })

  it.each([
    [{ number: 'x'.repeat(65) }, /number has more than 64 characters/],
    [{ number: '' }, /number is empty/],
    [{ number: '2026\u2060-7' }, /number has characters that cannot be seen/],
    [{ returnUrl: 'javascript:alert(1)' }, /returnUrl is not a web address/],
    [{ returnUrl: '/thanks' }, /returnUrl is not a web address/],
  ])('with %j is not made', async (given, message) => {
    const made = open().make({ reference: 'cart-42', validForMs: hourMs, ...given })
    await expect(made).rejects.toMatchObject({ code: 'invalid_options', message: expect.stringMatching(message) })
  })

  it('ends', async () => {
    const { token } = await open().make({ reference: 'cart-42', validForMs: hourMs })
    nowMs += hourMs - 1
    expect(await open().readValid(token)).not.toBeNull()
    nowMs += 1
    expect(await open().readValid(token)).toBeNull()
  })

  it('is revoked with all others of its cart, and with no other; a later one is valid', async () => {
    const links = open()
    const [one, two] = [
      await links.make({ reference: 'cart-42', validForMs: hourMs }),
      await links.make({ reference: 'cart-7', validForMs: hourMs }),
    ]
    await links.revoke('cart-42')
    expect(await links.readValid(one.token)).toBeNull()
    expect(await links.readValid(two.token)).not.toBeNull()
    expect(await links.readValid((await links.make({ reference: 'cart-42', validForMs: hourMs })).token)).not.toBeNull()
  })

  it('is revoked also where the server that has made it has a clock ahead, and stays so', async () => {
    const links = open()
    nowMs += 2_000
    const { token } = await links.make({ reference: 'cart-42', validForMs: hourMs })
    nowMs -= 2_000
    await links.revoke('cart-42')
    expect(await links.readValid(token)).toBeNull()
    nowMs -= 60_000
    await links.revoke('cart-42')
    expect(await links.readValid(token)).toBeNull()
    expect(await links.readValid((await links.make({ reference: 'cart-42', validForMs: hourMs })).token)).not.toBeNull()
  })

  it.each([0, 59_999, 367 * 86_400_000, 60_000.5, Number.NaN])('valid for %d ms is not made', async (validForMs) => {
    await expect(open().make({ reference: 'cart-42', validForMs })).rejects.toThrow(/validForMs/)
  })

  it.each([
    [{ order: 'a\u200bb', exp: 9e9 }, /cannot be seen/],
    [{ order: 'cart-42' }, /exp/],
    [{ order: 'cart-42', exp: 9e9, amount: 49.9, asset: 'USD' }, /amount/],
    [['cart-42'], /order|the link/],
    [{ order: 'x'.repeat(188), exp: 9e9, asks }, /at most 187 characters/],
    [{ order: 'cart-42', exp: 9e9, amount: '49.90', asset: 'USD', asks }, /a price, or asks/],
  ])('of another program that says %j is refused with the reason', async (claims, reason) => {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const token = `${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`
    expect(() => open().read(token)).toThrow(reason)
  })

  it('is not made without a secret', async () => {
    await expect(open(null).make({ reference: 'cart-42', validForMs: hourMs })).rejects.toThrow(/linkSecret/)
  })
})

describe('a token of another language', () => {
  interface Vectors {
    readonly linkSecret: string
    readonly links: readonly {
      readonly name: string
      readonly token: string
      readonly claims: {
        readonly order: string
        readonly exp: number
        readonly amount?: string
        readonly asset?: string
      }
    }[]
    readonly refusedLinks: readonly {
      readonly error: string
      readonly claims?: { readonly order?: string; readonly number?: string }
    }[]
  }
  const vectors: Vectors = JSON.parse(
    readFileSync(new URL('../../../examples/languages/vectors.json', import.meta.url), 'utf8'),
  )

  it.each(vectors.links)('$name: says what its shop has written', ({ token, claims }) => {
    const { order, exp, amount, asset } = claims
    expect(open(vectors.linkSecret).read(token)).toMatchObject({ token, reference: order, expiresAtMs: exp * 1_000 })
    expect(open(vectors.linkSecret).read(token)?.price).toEqual(amount === undefined ? undefined : { amount, asset })
  })

  it('whose order or number its shop refuses is not made here either', async () => {
    const refused = vectors.refusedLinks.filter(({ error }) => /^(?:order|number) must/.test(error))
    expect(refused.length).toBeGreaterThan(50)
    for (const { claims: { order: reference = 'cart-42', number } = {} } of refused) {
      const made = open().make({ reference, validForMs: hourMs, ...(number !== undefined && { number }) })
      await expect(made, JSON.stringify([reference, number])).rejects.toMatchObject({ code: 'invalid_options' })
    }
  })
})

describe('offer', () => {
  const offer = vi.fn(() => null)
  const ask = (headers: Record<string, string>, search = '') =>
    open().telling(offer)({
      reference: 'cart-42',
      request: new Request(`https://shop.example/pay${search}`, { headers }),
    })
  const told = () => offer.mock.lastCall as unknown as [{ link?: object }]
  beforeEach(() => offer.mockClear())

  it('is told of a link to its cart, in a cookie or in the address', async () => {
    const made = await open().make({ reference: 'cart-42', validForMs: hourMs })
    const cookie = cookieOf(made, new URL('https://shop.example/paywindow/pay'))
    expect(cookie).toMatch(/; Path=\/paywindow\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/)
    const expected = { id: made.id, expiresAtMs: made.expiresAtMs }
    await ask({ cookie: `a=b; ${cookie.split(';')[0]}; c=d` })
    expect(told()[0].link).toEqual(expected)
    await ask({}, `?link=${made.token}`)
    expect(told()[0].link).toEqual(expected)
  })

  it('gets what the link says of the order, and nothing of its token', async () => {
    const said = {
      price: { asset: 'USD', amount: '49.90' },
      number: '2026/0042',
      returnUrl: 'https://shop.example/thanks',
      from: 'gifts',
    }
    const { id, expiresAtMs, token } = await open().make({ reference: 'cart-42', validForMs: hourMs, ...said })
    await ask({}, `?link=${token}`)
    expect(told()[0].link).toEqual({ id, expiresAtMs, ...said })
  })

  it.each([
    ['another cart', async () => (await open().make({ reference: 'cart-7', validForMs: hourMs })).token],
    [
      'another secret',
      async () =>
        (await open('another secret of 32 characters!').make({ reference: 'cart-42', validForMs: hourMs })).token,
    ],
    ['nobody', async () => 'x'],
  ])('is not told of a link of %s', async (_, make) => {
    await ask({ cookie: `paywindow-link-abcdefghijkl=${await make()}` }, `?link=${await make()}`)
    expect(told()[0]).not.toHaveProperty('link')
  })

  it('is told of the newest of many links', async () => {
    const links = []
    for (let at = 0; at < 30; at += 1)
      links.push(await open().make({ reference: at < 29 ? `cart-${at}` : 'cart-42', validForMs: hourMs }))
    const page = new URL('https://shop.example/paywindow/pay')
    await ask({ cookie: links.map((link) => cookieOf(link, page).split(';')[0]).join('; ') })
    expect(told()[0]).toHaveProperty('link')
  })

  it('is told of the newer of two links to its cart, which has the price of now', async () => {
    const page = new URL('https://shop.example/paywindow/pay')
    const make = (amount: string) =>
      open().make({ reference: 'cart-42', validForMs: hourMs, price: { asset: 'USD', amount } })
    const links = [await make('49.90'), await make('59.90')]
    await ask({ cookie: links.map((link) => cookieOf(link, page).split(';')[0]).join('; ') })
    expect(told()[0].link).toMatchObject({ price: { amount: '59.90' } })
  })

  it('is told of any link that is opened after many, whose cookies no server refuses', async () => {
    const page = new URL('https://shop.example/paywindow/pay')
    const jar = new Map([['session', 'of-the-shop']])
    const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const openLink = (link: SignedLink) => {
      const sent = [cookieOf(link, page), ...endedCookies(header(), link, page)]
      for (const cookie of sent) {
        const [, name = '', value = '', path] = /^([^=]+)=([^;]*); Path=([^;]+);/.exec(cookie) ?? []
        expect(path).toBe('/paywindow/')
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
    }
    const returnUrl = `https://shop.example/${'x'.repeat(1_100)}`
    const make = (at: number) =>
      open().make({ reference: `cart-${at}`, validForMs: hourMs, ...(at % 3 === 0 && { returnUrl }) })
    const links = await Promise.all(Array.from({ length: 60 }, (_, at) => make(at)))
    for (const link of [...links, ...links.slice(0, 5)]) {
      openLink(link)
      expect(header().length).toBeLessThan(6_500)
      expect(header()).toContain(`${link.id}=${link.token}`)
    }
    expect(jar.get('session')).toBe('of-the-shop')
    expect(jar.size).toBeGreaterThan(3)
  })

  it('is not told of a link that was revoked: where it offers nothing, the link has ended', async () => {
    const { token } = await open().make({ reference: 'cart-42', validForMs: hourMs })
    await open().revoke('cart-42')
    await expect(ask({}, `?link=${token}`)).rejects.toMatchObject({ code: 'not_found' })
    expect(told()[0]).not.toHaveProperty('link')
  })
})

describe('paywindow.link', () => {
  const page = { url: 'https://shop.example/paywindow/pay' }
  const options = { reference: 'cart-42', validForMs: hourMs }

  it.each([
    [{}, /page\.url/],
    [{ page }, /linkSecret/],
  ])('with %j says what is missing', async (given, message) => {
    await expect(createTestShop(given).paywindow.link(options)).rejects.toThrow(message)
  })

  it.each([
    { linkSecret: 'short' },
    { linkSecret: [secret, 'short'] },
    { page: { url: '/paywindow/pay' } },
    { page: { url: 'https://shop.example/' } },
  ])('refuses %j', (given) => {
    expect(() => createTestShop(given)).toThrow(expect.objectContaining({ code: 'invalid_options' }))
  })

  it('takes no reference that a request could not have', async () => {
    const { paywindow } = createTestShop({ page, linkSecret: secret })
    await expect(paywindow.link({ ...options, reference: 'a\u200bb' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})
