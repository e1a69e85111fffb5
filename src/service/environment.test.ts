import { expect, it } from 'vitest'
import { readServiceEnvironment } from './environment.ts'

const all = {
  PAYWINDOW_SERVICE_URL: 'https://service.example',
  PAYWINDOW_ACCESS_TOKEN: 't',
  PAYWINDOW_SUB_ACCOUNT_ID: 's',
}

it('names a service when all three variables are set', () => {
  const service = { kind: 'service', baseUrl: 'https://service.example', accessToken: 't', subAccountId: 's' }
  expect(readServiceEnvironment({ ...all, PAYWINDOW_ACCESS_TOKEN: ' t\n' })).toEqual(service)
  expect(readServiceEnvironment({ ...all, NODE_ENV: 'production' })).toEqual(service)
})

it('allows the sandbox only when none is set and this is not production', () => {
  expect(readServiceEnvironment({})).toEqual({ kind: 'sandbox' })
  expect(readServiceEnvironment({ PAYWINDOW_ACCESS_TOKEN: ' ', NODE_ENV: 'test' })).toEqual({ kind: 'sandbox' })
  expect(readServiceEnvironment({ NODE_ENV: 'production' })).toMatchObject({ kind: 'incomplete', production: true })
})

it.each([['PAYWINDOW_SERVICE_URL'], ['PAYWINDOW_ACCESS_TOKEN'], ['PAYWINDOW_SUB_ACCOUNT_ID']])(
  'says that %s is missing when the others are set',
  (name) => {
    expect(readServiceEnvironment({ ...all, [name]: '' })).toEqual({
      kind: 'incomplete',
      missing: [name],
      production: false,
    })
  },
)
