/** `paywindow serve` with its sandbox, a payer, and what the shop behind it is told. */
import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ShopEvent } from '../../src/serve/events.ts'
import { signWebhook } from '../../src/serve/standard-webhook.ts'
import { policy } from '../../src/server/core/policy.ts'
import { openPort } from '../../src/server/http/listen.ts'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { startProgram } from '../hosts/process.ts'

/** An event that was sent to the shop, and its answer. 502: the shop did not answer. */
export interface Told {
  readonly id: string
  readonly body: string
  readonly event: Omit<ShopEvent, 'type'> & { readonly type: string }
  readonly status: number
}

/** What a payer has chosen: the address of the link, and the order of the sandbox. */
export interface Chosen {
  readonly orderId: string
  /** Loads the page again, as a browser does: the server then looks at the order. */
  look(): Promise<string>
}

interface Sent {
  readonly id?: string
  readonly secret?: string
  readonly ageS?: number
  /** Without its length, as some proxies pass it on. */
  readonly inChunks?: boolean
}

type Coin = 'BTC bitcoin' | 'LTC litecoin'

/** What a shop has to know of its payment server. */
export interface Settings {
  readonly port: number
  readonly page: string
  readonly linkSecret: string
  readonly apiSecret: string
  readonly eventsSecret: string
}

/** A running payment server. */
export interface Payments {
  /** Every try to tell the shop, in order. */
  readonly told: readonly Told[]
  /**
   * Opens a link and chooses a coin. The page may be that of another server with the same secrets.
   */
  choose(link: string, coin?: Coin): Promise<Chosen>
  /** `npx paywindow trigger`, for one order. */
  trigger(scenario: string, chosen: Chosen): void
  /** For the newest order. */
  triggerNewest(scenario: string): void
  /** The payer sends so much of the coin, and nothing confirms it. */
  deposit(chosen: Chosen, factor: number): Promise<void>
  /** Resolves when the shop has taken an event of this type about the order. */
  taken(type: string, order: string, chosen: Chosen): Promise<Told>
  /** Whether events do not reach the shop. */
  cutOff(isCutOff: boolean): void
  /** Sends an event that the test makes, and resolves with the shop's answer. */
  send(event: object, as?: Sent): Promise<number>
  close(): Promise<void>
}

/**
 * Said in words that the service's list does not have. Where the server sees the deposit there
 * first, it tells `seen`, and the test signs what it would have told otherwise.
 */
const wordsOnly = ['payment.short', 'payment.over', 'payment.late']

const cli = join(import.meta.dirname, '../../dist/cli.js')

/** The settings of a shop, and of all payment servers that it may have. */
export async function createSettings(): Promise<Settings> {
  const port = await freePort()
  const random = (encoding: 'hex' | 'base64') => randomBytes(32).toString(encoding)
  const page = `http://localhost:${port}/books/pay`
  // Platforms that take a password for HTML change these characters.
  const linkSecret = `${random('hex')}&"<`
  const eventsSecret = `whsec_${random('base64')}`
  return { port, page, linkSecret, apiSecret: random('hex'), eventsSecret }
}

interface Start {
  /** Default: any free port, which is not the one of the links. */
  readonly port?: number
  /** Where the shop takes events now: it may have moved after a crash. */
  readonly eventsUrl: () => string
}

/**
 * Starts one. With few orders it reads what the service says of each, and not only the list, which
 * says less: give each outcome a server of its own.
 */
export async function startPayments(settings: Settings, { port: given, eventsUrl }: Start): Promise<Payments> {
  const { linkSecret, apiSecret, eventsSecret } = settings
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-plugins-'))
  const told: Told[] = []
  let isCutOff = false

  const forward = async (headers: IncomingHttpHeaders, body: string, inChunks = false): Promise<number> => {
    const passed = Object.entries(headers).filter(([name]) => /^(?:webhook-|content-type)/.test(name))
    const init = {
      method: 'POST',
      headers: new Headers(passed as [string, string][]),
      body: inChunks ? new Blob([body]).stream() : body,
      duplex: 'half',
      redirect: 'manual',
    } as const
    const answer = isCutOff ? undefined : await fetch(eventsUrl(), init).catch(() => undefined)
    const status = answer?.status ?? 502
    told.push({ id: `${headers['webhook-id']}`, body, event: JSON.parse(body), status })
    return status
  }
  // Between the two, so that the test sees what is told.
  const between = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    response.writeHead(await forward(request.headers, body)).end()
  })
  const [port, eventsPort] = [given ?? (await freePort()), await openPort(between, { port: 0, host: '127.0.0.1' })]

  const publicUrl = `http://localhost:${port}`
  const coins = { BTC: ['bitcoin', 'Bitcoin'], LTC: ['litecoin', 'Litecoin'] }
  const shop = {
    service: 'sandbox',
    test: true,
    merchant: { name: 'Lantern Books' },
    methods: Object.entries(coins).map(([asset, [network, name]]) => ({ asset, network, name })),
    events: { url: `http://127.0.0.1:${eventsPort}/`, allowPrivate: true },
  }
  writeFileSync(join(folder, 'paywindow.json'), JSON.stringify({ port, publicUrl, shops: { books: shop } }))
  const server = await startProgram(
    folder,
    `exec "${process.execPath}" "${cli}" serve --sandbox-port 0`,
    {
      PAYWINDOW_BOOKS_LINK_SECRET: linkSecret,
      PAYWINDOW_BOOKS_API_SECRET: apiSecret,
      PAYWINDOW_BOOKS_EVENTS_SECRET: eventsSecret,
    },
    /--sandbox \S+/,
  )
  const sandbox = /--sandbox (\S+)/.exec(server.output())?.[1] ?? ''
  // As text: a number of JSON may have more digits than a double.
  const orders = async () => [
    ...(await (await fetch(`${sandbox}/sandbox/orders`)).text()).matchAll(
      /"id":"([^"]+)".*?"source_amount":"?([\d.]+).*?"wallet_address":"([^"]+)"/g,
    ),
  ]

  const choose: Payments['choose'] = async (given, coin = 'BTC bitcoin') => {
    const link = `${publicUrl}${given.slice(new URL(given).origin.length)}`
    const first = await fetch(link)
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const headers = { cookie, origin: publicUrl }
    const before = (await orders()).map(([, id]) => id)
    const body = new URLSearchParams({ act: `choose ${coin}` })
    const answer = await fetch(link, { method: 'POST', body, headers, redirect: 'manual' })
    expect(answer.status, await answer.text()).toBe(303)
    const look = async () => (await fetch(link, { headers })).text()
    while (!(await look()).includes('"tracked":true')) await setTimeout(100)
    // The list that has shown the order serves for a moment. Only later looks at the order itself
    // say what is wrong with a deposit.
    await setTimeout(policy.list.freshMs + 100)
    const [, orderId = ''] = (await orders()).find(([, id]) => !before.includes(id)) ?? []
    return { orderId, look }
  }

  const send: Payments['send'] = async (
    event,
    { id = `evt_${randomUUID()}`, secret = eventsSecret, ageS = 0, inChunks } = {},
  ) => {
    const body = JSON.stringify(event)
    const timestampS = Math.floor(Date.now() / 1_000) - ageS
    const signature = signWebhook([secret], id, timestampS, body)
    const named = { 'webhook-id': id, 'webhook-timestamp': `${timestampS}`, 'webhook-signature': signature }
    return forward({ ...named, 'content-type': 'application/json' }, body, inChunks)
  }

  const trigger = (...args: readonly string[]) => {
    const all = [cli, 'trigger', ...args, '--sandbox', sandbox]
    const { status, stdout, stderr } = spawnSync(process.execPath, all, { cwd: folder, encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  }

  return {
    told,
    choose,
    trigger: (scenario, { orderId }) => trigger(scenario, '--order', orderId),
    triggerNewest: trigger,
    deposit: async ({ orderId }, factor) => {
      const [, , asked, address] = (await orders()).find(([, id]) => id === orderId) ?? []
      const amount = (Number(asked) * factor).toFixed(8)
      const init = { method: 'POST', body: JSON.stringify({ address, amount }) }
      const answer = await fetch(`${sandbox}/sandbox/deposits`, init)
      expect(answer.status, await answer.text()).toBe(200)
    },
    taken: async (type, order, { look }) => {
      const isIt = ({ event, status }: Told) =>
        [type, ...(wordsOnly.includes(type) ? ['payment.seen'] : [])].includes(event.type) &&
        event.data.order === order &&
        status < 300
      for (const endsAt = Date.now() + 120_000; Date.now() < endsAt; await setTimeout(100)) {
        const found = told.findLast(isIt)
        if (found?.event.type === type) return found
        if (found) {
          const at = new Date().toISOString()
          expect(await send({ ...found.event, type, data: { ...found.event.data, at } })).toBe(204)
        }
        await look()
      }
      const tries = told.map(({ event, status }) => `${event.type} ${event.data.order} ${status}`)
      throw new Error(`${type} of ${order} was not taken: ${tries.join(', ')}\n${server.output()}`)
    },
    cutOff: (isCut) => {
      isCutOff = isCut
    },
    send,
    close: async () => {
      await server.stop()
      await new Promise((resolve) => between.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
}
