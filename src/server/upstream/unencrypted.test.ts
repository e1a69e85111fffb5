import { expect, it } from 'vitest'
import type { PaywindowError } from '../../contract/errors.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { createPaywindow } from '../paywindow.ts'
import { createMemoryStore } from '../store/memory.ts'

function reportedFor(baseUrl: string): readonly PaywindowError[] {
  const errors: PaywindowError[] = []
  const service = { ...createSandbox().access, baseUrl }
  const onError = (error: PaywindowError) => errors.push(error)
  createPaywindow({ service, offer: () => null, store: createMemoryStore(), onError })
  return errors
}

it.each([
  'http://service.example',
  'http://service.example:8080/prefix',
  'http://10.0.0.7',
  'http://localhost.example',
  'http://127.0.0.1.example',
  'http://[2001:db8::1]',
])('a token for %s would go unencrypted', (baseUrl) => {
  const [error, ...others] = reportedFor(baseUrl)
  expect(error).toMatchObject({
    code: 'token_unencrypted',
    message: expect.stringContaining(new URL(baseUrl).hostname),
  })
  expect(others).toEqual([])
})

it.each([
  'https://service.example',
  'http://localhost:4243',
  'http://sandbox.localhost',
  'http://127.0.0.1:4243',
  'http://127.1',
  'http://[::1]:4243',
])('nothing is said of %s', (baseUrl) => expect(reportedFor(baseUrl)).toEqual([]))
