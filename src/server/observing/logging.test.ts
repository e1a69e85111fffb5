import { describe, expect, it, vi } from 'vitest'
import { createTestShop, order, pay } from '../shop.testing.ts'
import type { Logger, LogMethod } from './reporting.ts'

interface Line {
  readonly level: keyof Logger
  readonly fields: Parameters<LogMethod>[0]
  readonly message: string
}

function createLines() {
  const lines: Line[] = []
  const at =
    (level: keyof Logger): LogMethod =>
    (fields, message) =>
      lines.push({ level, fields, message })
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return { logger, lines, of: (level: keyof Logger) => lines.filter((line) => line.level === level) }
}

/** Opens a checkout, and pays it; in the end the merchant has been told. */
async function sell(shop: ReturnType<typeof createTestShop>) {
  const checkout = await shop.open()
  await shop.settle()
  pay(shop)
  await shop.pass(5_000)
  await shop.poll(checkout)
  await shop.settle()
  return checkout
}

describe('the logger', () => {
  it('gets the life of a checkout in structured fields', async () => {
    const { logger, of } = createLines()
    const shop = createTestShop({ logger })
    const { id: checkoutId } = await sell(shop)
    const about = { checkoutId }
    const orderId = order(shop).id
    expect(of('info').map(({ fields, message }) => [message, fields])).toEqual([
      ['Checkout created', { ...about, asset: 'BTC', network: 'bitcoin' }],
      ['Deposit instructions received', about],
      [
        'Order bound',
        { ...about, orderId, evidence: expect.any(String), isProvisional: false, afterMs: expect.any(Number) },
      ],
      [
        'Status changed',
        {
          ...about,
          orderId,
          status: 'confirmed',
          previousStatus: 'open',
          phase: 'paid',
          previousPhase: 'waiting',
          afterMs: expect.any(Number),
        },
      ],
      [
        'Change delivered',
        { ...about, eventId: shop.events[0]?.eventId, status: 'confirmed', afterMs: expect.any(Number) },
      ],
    ])
    expect([...of('warn'), ...of('error')]).toEqual([])
    expect(of('debug')[0]).toMatchObject({
      message: 'Request to the service',
      fields: { method: 'POST', route: '/v1/order/exchange', status: 200, errorCode: null, tookMs: expect.any(Number) },
    })
  })

  it('gets what onError gets, at the level that says whether a person is needed', async () => {
    const { logger, lines } = createLines()
    const shop = createTestShop({ logger })
    shop.sandbox.faults = () => ({ kind: 'status', status: 400, message: 'no\nsuch\u202easset' })
    await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    await shop.send('POST', '/checkouts', { body: { reference: 7 } })
    const reported = lines.filter(({ level }) => level === 'warn' || level === 'error')
    expect(reported.map(({ message }) => message)).toEqual(shop.errors.map(({ message }) => message))
    expect(reported).toMatchObject([
      {
        level: 'error',
        fields: {
          code: 'service_refused',
          checkoutId: expect.any(String),
          causeName: 'ServiceError',
          causeCode: 'refused',
        },
      },
      { level: 'error', fields: { code: 'service_refused', incident: expect.any(String) } },
      { level: 'warn', fields: { code: 'invalid_request', incident: expect.any(String) } },
    ])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
    for (const { message } of reported) expect(message).not.toMatch(/[\u0000-\u001f\u202e]/)
  })

  it('gets no secret and nothing of a payer', async () => {
    const { logger, lines } = createLines()
    const shop = createTestShop({
      logger,
      onStatusChange: () => {
        throw new Error('postgres://user:password@db')
      },
    })
    const { key } = await sell(shop)
    const { accessToken, subAccountId } = shop.sandbox.access
    const { address } = order(shop)
    expect(lines.map(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({ code: 'callback_failed', causeName: 'Error' }),
    )
    const text = JSON.stringify(lines)
    for (const secret of [accessToken, subAccountId, key, address ?? '', 'password']) {
      expect(secret).not.toBe('')
      expect(text).not.toContain(secret)
    }
  })

  it('gets names of others as printable text', async () => {
    const { logger, of } = createLines()
    const shop = createTestShop({
      logger,
      onStatusChange: () => {
        throw Object.assign(new Error('down'), { name: 'Odd\u001b[31m', code: '\u202e42' })
      },
    })
    await sell(shop)
    expect(of('error')[0]?.fields).toMatchObject({ causeName: 'Odd\\u{1b}[31m', causeCode: '\\u{202e}42' })
  })

  it('is written to, and onError called, whatever was thrown', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const hostile = Object.defineProperty(new Error('down'), 'code', {
      get: () => {
        throw new Error('no code')
      },
    })
    const shop = createTestShop({ logger: createLines().logger, onStatusChange: () => Promise.reject(hostile) })
    await sell(shop)
    expect(shop.errors.map(({ code }) => code)).toContain('callback_failed')
    expect(log).toHaveBeenCalledWith('paywindow: logger threw', expect.objectContaining({ message: 'no code' }))
    log.mockRestore()
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('disk full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])('stops nothing when it %s', async (_, write) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const shop = createTestShop({ logger: { debug: write, info: write, warn: write, error: write } })
    await sell(shop)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect(log).toHaveBeenCalledWith('paywindow: logger threw', expect.objectContaining({ message: 'disk full' }))
    log.mockRestore()
  })

  it('is written to although telemetry throws', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { logger, of } = createLines()
    const note = () => {
      throw new Error('no meter')
    }
    const shop = createTestShop({ logger, telemetry: { note, watch: () => () => undefined } })
    await sell(shop)
    expect(of('info').at(-1)?.message).toBe('Change delivered')
    expect(log).toHaveBeenCalledWith('paywindow: telemetry threw', expect.objectContaining({ message: 'no meter' }))
    log.mockRestore()
  })

  it('is refused without one of its methods', () => {
    const { debug, info, warn } = createLines().logger
    const logger = { debug, info, warn } as unknown as Logger
    expect(() => createTestShop({ logger })).toThrow('logger must have the method error(fields, message)')
  })

  it('is called with its own this', async () => {
    class Own implements Logger {
      readonly messages: string[] = []
      debug: LogMethod = () => undefined
      warn: LogMethod = () => undefined
      error: LogMethod = () => undefined
      info(_: Parameters<LogMethod>[0], message: string) {
        this.messages.push(message)
      }
    }
    const logger = new Own()
    await createTestShop({ logger }).open()
    expect(logger.messages[0]).toBe('Checkout created')
  })
})
