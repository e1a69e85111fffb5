/**
 * Icons at the service's own origin, which the global fetch gets, over real sockets, against every
 * answer: the process lives.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PaywindowError } from '../../contract/errors.ts'
import { answering, type HostileServer, type Scenario, scenariosOf, startHostile } from './hostile.testing.ts'
import { createIconResponder, maxIconBytes } from './icons.ts'
import { each, mustLive, sleep, statuses } from './outgoing.testing.ts'

mustLive()

describe('icons of the service itself', () => {
  const scenarios: Readonly<Record<string, Scenario>> = scenariosOf('image/png')
  let server: HostileServer
  beforeAll(async () => {
    server = await startHostile('plain', 'icon', (path) => {
      const name = decodeURIComponent(path.slice('/icons/'.length))
      if (name === 'a redirect to a picture') return answering(302, 'location: /icons/200')
      return /^\d+$/.test(name) ? answering(Number(name), 'content-type: image/png') : scenarios[name]
    })
  })
  afterAll(() => server.close())

  /** Each has its own responder, because failures are remembered and fetches limited. */
  const load = async (name: string) => {
    const origin = `http://127.0.0.1:${server.port}`
    const world = {
      settings: {
        service: { baseUrl: `${origin}/v1`, accessToken: 'token', subAccountId: 'sub' },
        iconFetch: () => Promise.reject(new Error('This is the way to other hosts')),
      },
      now: Date.now,
      sleep,
    }
    const url = `${origin}/icons/${encodeURIComponent(name)}`
    const respond = createIconResponder(world, {
      find: async () => ({ method: { asset: 'NEW', network: 'new' }, url }),
    })
    try {
      const response = await respond('new')
      return new Uint8Array(await response.arrayBuffer())
    } catch (error) {
      expect(error, name).toBeInstanceOf(PaywindowError)
      expect(error, name).toMatchObject({ code: 'not_found', message: 'The icon could not be fetched' })
      return undefined
    }
  }

  it('are accepted only with status 200', async () => {
    const taken: string[] = []
    await each(statuses.map(String), 8, async (name) => {
      if (await load(name)) taken.push(name)
    })
    expect(taken).toEqual(['200'])
    expect(server.requests()).toBeGreaterThanOrEqual(statuses.length)
  })

  it('withstand any other behaviour of the service, and never exceed their size limit', async () => {
    await each(Object.keys(scenarios), 50, async (name) => {
      expect((await load(name))?.byteLength ?? 0, name).toBeLessThanOrEqual(maxIconBytes)
    })
  })

  it('are not taken from an address that the service redirects to', async () => {
    const before = server.requests()
    expect(await load('a redirect to a picture')).toBeUndefined()
    expect(server.requests()).toBe(before + 1)
  })
})
