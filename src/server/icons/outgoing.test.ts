/**
 * Every request of the server, over real sockets, against every possible answer: the process lives.
 * Icons of the service itself are in own-icons.test.ts.
 */
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { createServer, type LookupFunction } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PaywindowError } from '../../contract/errors.ts'
import { createServiceClient } from '../../service/client.ts'
import { ServiceError } from '../../service/errors.ts'
import type { ServiceClient } from '../../service/types.ts'
import {
  answering,
  certificate,
  type HostileServer,
  type Scenario,
  scenariosOf,
  startHostile,
} from './hostile.testing.ts'
import { loadIcon, maxIconBytes } from './icons.ts'
import { deadlineMs, each, mustLive, sleep, statuses } from './outgoing.testing.ts'
import { createPublicFetch } from './public-fetch.ts'

mustLive()

describe('icons', () => {
  const scenarios: Readonly<Record<string, Scenario>> = scenariosOf('image/png')
  let server: HostileServer
  beforeAll(async () => {
    server = await startHostile('tls', 'icon', (path) => {
      const name = decodeURIComponent(path.slice(1))
      return /^\d+$/.test(name) ? answering(Number(name), 'content-type: image/png') : scenarios[name]
    })
  })
  afterAll(() => server.close())

  /** The network: every name has a public address, and requests to it arrive at this port. */
  const fetchIcon = (port = server.port, ca = certificate, address = '93.184.216.34') => {
    const lookup = ((_host: string, _options: object, found: (error: null, addresses: object[]) => void) =>
      found(null, [{ address, family: 4 }])) as never
    const redirected = (url: string, options: RequestOptions, onAnswer: (answer: IncomingMessage) => void) =>
      request(url, { ...options, port, ca, lookup: atHome(options.lookup) }, onAnswer)
    return createPublicFetch({ lookup, request: redirected as never })
  }
  const sources = (fetch = fetchIcon()) => ({
    fetch,
    trustedOrigin: 'https://service.example',
    trustedFetch: fetch,
    now: Date.now,
    sleep,
  })
  const load = async (name: string, of = sources()) => {
    try {
      return await loadIcon(`https://icons.example/${encodeURIComponent(name)}`, of)
    } catch (error) {
      expect(error).toBeInstanceOf(PaywindowError)
      expect(error).toMatchObject({ code: 'not_found', message: 'The icon could not be fetched' })
      return undefined
    }
  }

  it('are accepted only with status 200', async () => {
    const taken: string[] = []
    await each(statuses.map(String), 8, async (name) => {
      if (await load(name)) taken.push(name)
    })
    expect(taken).toEqual(['200'])
    expect(server.requests()).toBe(statuses.length)
  })

  it('withstand any other behaviour of a host, and never exceed their size limit', async () => {
    await each(Object.keys(scenarios), 50, async (name) => {
      const image = await load(name)
      expect(image?.bytes.byteLength ?? 0).toBeLessThanOrEqual(maxIconBytes)
    })
  })

  it('are requested from public addresses only', async () => {
    const before = server.requests()
    for (const address of ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', '2002:a00:1::', 'no address'])
      expect(await load('200', sources(fetchIcon(server.port, certificate, address)))).toBeUndefined()
    expect(server.requests()).toBe(before)
  })

  it('withstand a host without TLS, a wrong certificate, a broken TLS connection, and a closed port', async () => {
    const plain = await startHostile('plain', 'icon', () => answering(200))
    expect(await load('200', sources(fetchIcon(plain.port)))).toBeUndefined()
    await plain.close()
    expect(await load('200', sources(fetchIcon(plain.port)))).toBeUndefined()
    const cut = createServer((socket) => socket.once('data', () => socket.end(Buffer.from([22, 3, 3, 0]))))
    await new Promise<void>((resolve) => cut.listen(0, '127.0.0.1', resolve))
    const { port } = cut.address() as { port: number }
    expect(await load('200', sources(fetchIcon(port)))).toBeUndefined()
    cut.close()
    expect(await load('200', sources(fetchIcon(server.port, '')))).toBeUndefined()
    expect(await load('200')).toBeDefined()
  })
})

/** Looks a name up as it was meant, so that the checks are made, and then goes to this machine. */
function atHome(lookup: LookupFunction | undefined): LookupFunction {
  return (host, options, found) =>
    lookup?.(host, options, (error) =>
      found(error, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4),
    )
}

describe('the service', () => {
  const scenarios: Readonly<Record<string, Scenario>> = scenariosOf('application/json')
  const operations: Readonly<Record<string, (client: ServiceClient) => Promise<unknown>>> = {
    createOrder: (client) => client.createOrder({ sourceAsset: 'BTC', targetAsset: 'USD', targetAmount: '49.90' }),
    listOrders: (client) => client.listOrders({ page: 1, size: 10 }),
    orderDetails: (client) => client.orderDetails('o-1'),
    registerWallet: (client) => client.registerWallet({ asset: 'BTC', name: 'a', address: 'b', network: 'bitcoin' }),
    deleteWallet: (client) => client.deleteWallet('w-1'),
  }
  let server: HostileServer
  beforeAll(async () => {
    server = await startHostile('plain', '{}', (path) => {
      const name = decodeURIComponent(path.split('/')[1] ?? '')
      return /^\d+$/.test(name) ? answering(Number(name), 'content-type: application/json') : scenarios[name]
    })
  })
  afterAll(() => server.close())

  const ask = async (operation: (client: ServiceClient) => Promise<unknown>, name: string) => {
    const client = createServiceClient({
      baseUrl: `http://127.0.0.1:${server.port}/${encodeURIComponent(name)}`,
      accessToken: 'token',
      subAccountId: 'sub',
      timeoutMs: deadlineMs,
      maxAnswerBytes: 100_000,
      retries: 0,
    })
    try {
      await operation(client)
    } catch (error) {
      expect(error, name).toBeInstanceOf(ServiceError)
    }
  }

  it('may answer every request with any status', async () => {
    await each(statuses.map(String), 8, async (name) => {
      for (const operation of Object.values(operations)) await ask(operation, name)
    })
  })

  it('may answer every request with whatever else there is', async () => {
    await each(Object.keys(scenarios), 50, async (name) => {
      await Promise.all(Object.values(operations).map((operation) => ask(operation, name)))
    })
  })
})
