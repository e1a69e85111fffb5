/** Reads the faults that a control request asks for. */
import type { JsonRecord } from '../contract/parse.ts'
import type { Fault } from './faults.ts'
import { requiredText } from './reading.ts'
import { Refusal } from './refusal.ts'
import { statusOfEvent, type WebhookEvent } from './webhook-event.ts'
import type { WebhookFault } from './webhook-types.ts'

/** A fault of a request to the service. @throws Refusal naming what is wrong. */
export function readFault(body: JsonRecord): Fault {
  const kind = requiredText(body, 'kind')
  const workDone = body.workDone === true
  switch (kind) {
    case 'latency':
      return { kind, beforeMs: optionalNumber(body, 'beforeMs') ?? 0, afterMs: optionalNumber(body, 'afterMs') ?? 0 }
    case 'reset':
    case 'hang':
      return { kind, workDone }
    case 'status': {
      const status = optionalNumber(body, 'status') ?? 0
      if (!Number.isInteger(status) || status < 400 || status > 599) throw new Refusal(400, 'status must be 400 to 599')
      return {
        kind,
        status,
        workDone,
        ...(body.message !== undefined && { message: requiredText(body, 'message') }),
        ...(body.retryAfter !== undefined && { retryAfter: requiredText(body, 'retryAfter') }),
      }
    }
    case 'html':
    case 'truncated':
    case 'duplicated':
    case 'empty':
      return { kind }
  }
  throw new Refusal(400, 'kind is none of latency, reset, hang, status, html, truncated, duplicated, empty')
}

/** A fault of a webhook. @throws Refusal naming what is wrong. */
export function readWebhookFault(body: JsonRecord): WebhookFault {
  const kind = requiredText(body, 'kind')
  switch (kind) {
    case 'late':
      return { kind, byMs: optionalNumber(body, 'byMs') ?? 0 }
    case 'twice':
    case 'out-of-order':
    case 'lost':
      return { kind }
    case 'forged': {
      const event = requiredText(body, 'event')
      if (isEvent(event)) return { kind, event }
      throw new Refusal(400, `event is none of ${Object.keys(statusOfEvent).join(', ')}`)
    }
  }
  throw new Refusal(400, 'kind is none of late, twice, out-of-order, lost, forged')
}

function isEvent(text: string): text is WebhookEvent {
  return Object.hasOwn(statusOfEvent, text)
}

function optionalNumber(body: JsonRecord, name: string): number | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new Refusal(400, `${name} must be a number of 0 or more`)
}
