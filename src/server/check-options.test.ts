import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPaywindow as createNodePaywindow } from './node.ts'
import { checkOptions, type PaywindowOptions } from './options.ts'
import { createPaywindow } from './paywindow.ts'
import { createTestShop } from './shop.testing.ts'
import { createMemoryStore } from './store/memory.ts'

describe('serviceRequestsPerSecond', () => {
  it.each([0, -1, 1.5, 1_001, Number.NaN, Number.POSITIVE_INFINITY])('is not %j', (serviceRequestsPerSecond) =>
    expect(() => createTestShop({ serviceRequestsPerSecond })).toThrow('serviceRequestsPerSecond must be'),
  )

  it.each([1, 1_000])('may be %j', (serviceRequestsPerSecond) =>
    expect(createTestShop({ serviceRequestsPerSecond })).toBeDefined(),
  )
})

describe('options that are written wrong', () => {
  const service = { baseUrl: 'https://service.example', accessToken: 'token', subAccountId: 'sub-1' }
  const right = { service, offer: () => null, store: createMemoryStore() }
  const check = (options: unknown) => () => checkOptions(options as PaywindowOptions)

  it.each([
    [undefined, 'needs options: service, offer and store'],
    [null, 'needs options'],
    [{ ...right, onStatusChanged: () => {} }, 'onStatusChanged is no option. There are service, offer,'],
    [{ ...right, test: 'no' }, 'test must be true or false'],
    [{ ...right, test: 'true' }, 'test must be true or false'],
    [{ ...right, allowedOrigins: 'https://shop.example' }, 'allowedOrigins must be a list'],
    [{ ...right, allowedOrigins: ['shop.example'] }, 'allowedOrigins: "shop.example" is not an origin'],
    [{ ...right, allowedOrigins: ['https://Shop.example'] }, 'is not an origin'],
    [{ ...right, allowedOrigins: ['https://shop.example:443'] }, 'is not an origin'],
    [{ ...right, allowedOrigins: ['https://shop.example/'] }, 'is not an origin'],
    [{ ...right, allowedOrigins: ['capacitor://localhost/'] }, 'is not an origin'],
    [{ ...right, allowedOrigins: ['file://'] }, 'is not an origin'],
    [{ ...right, allowedOrigins: ['null'] }, 'is not an origin'],
    [{ ...right, onError: 'log' }, 'onError must be a function'],
    [{ ...right, clientKey: 'x-forwarded-for' }, 'clientKey must be a function'],
    [{ ...right, iconFetch: 3 }, 'iconFetch must be a function'],
    [{ ...right, phases: { comfirmed: 'paid' } }, 'phases.comfirmed is no status. There are open,'],
    [{ ...right, offer: undefined }, 'offer must be a function'],
    [{ ...right, store: undefined }, 'store is missing'],
  ])('%j: %s', (options, words) => {
    expect(check(options)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(words) }),
    )
  })

  it.each<[object | undefined, string]>([
    [undefined, 'baseUrl, accessToken, subAccountId of the service: missing'],
    [{ ...service, baseUrl: undefined }, 'baseUrl of the service: missing. If they come from the environment'],
    [{ ...service, subAccountId: undefined }, 'subAccountId of the service: missing'],
    [{ ...service, baseUrl: 'service.example' }, 'baseUrl must be an absolute http(s) URL'],
    [{ ...service, baseUrl: 'https://%' }, 'baseUrl must be an absolute http(s) URL'],
  ])('service %j: %s', (wrong, words) => {
    expect(() => createPaywindow({ ...right, service: wrong as typeof service })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(words) }),
    )
  })

  it('are none that are left out', () => {
    expect(check({ ...right, test: undefined, allowedOrigins: undefined })).not.toThrow()
  })

  it('are named where Node has the store of its own, too', () => {
    const storePath = join(tmpdir(), 'paywindow-refused', 'store.sqlite')
    expect(() => createNodePaywindow({ storePath } as never)).toThrow('offer must be a function')
    expect(existsSync(storePath)).toBe(false)
    expect(() => createNodePaywindow(undefined as never)).toThrow('offer must be a function')
  })
})
