import { expect, it } from 'vitest'
import { PaywindowError } from '../../contract/errors.ts'
import { statusOfCode } from '../../contract/status-of-code.ts'
import { createTestShop } from '../shop.testing.ts'
import { createIncidents } from './handler.ts'

it('of a page with a forbidden origin are reported to the merchant under the name that the payer sees', async () => {
  const told: { code: string; incident: string | undefined }[] = []
  const shop = createTestShop({ onError: ({ code }, { incident }) => told.push({ code, incident }) })
  const answer = await shop.send('POST', '/checkouts', {
    body: { reference: 'cart-42' },
    headers: { origin: 'https://elsewhere.example' },
  })
  const incident = told[0]?.incident
  expect(incident).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/)
  expect(told).toEqual([{ code: 'forbidden_origin', incident }])
  expect(answer).toMatchObject({ status: 403, json: { error: { code: 'forbidden_origin', incident } } })
})

it('get no reference where a payer needs no help: not found, too many requests, busy', () => {
  const nameIncident = createIncidents(
    () => undefined,
    () => 'ABCDEF',
    () => 0,
  )
  const named = Object.entries(statusOfCode).filter(([, status]) =>
    nameIncident(new PaywindowError('internal', 'a'), status),
  )
  expect(named.map(([code]) => code)).toEqual([
    'invalid_request',
    'forbidden_origin',
    'request_too_large',
    'unsupported_media_type',
    'method_not_offered',
    'asset_not_crypto',
    'internal',
    'offer_invalid',
    'service_refused',
    'service_invalid',
  ])
})

it('do not fill a log: sixty a minute get a reference, and internal errors always do', () => {
  let nowMs = 0
  let told = 0
  const nameIncident = createIncidents(
    () => {
      told += 1
    },
    () => 'ABCDEF',
    () => nowMs,
  )
  const ask = (status: number) => nameIncident(new PaywindowError('invalid_request', 'a'), status)
  for (let at = 0; at < 200; at += 1) ask(400)
  expect(told).toBe(60)
  expect(ask(400)).toBeUndefined()
  expect(ask(500)).toBe('ABCDEF')
  nowMs = 60_000
  expect(ask(400)).toBe('ABCDEF')
})
