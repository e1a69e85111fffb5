/** Requests of `paywindow check`, and the answers, whether they are Paywindow's or not. */
import { causeOf } from '../server/observing/occurrence.ts'
import { plainLine } from './text.ts'
import type { World } from './world.ts'

const timeoutMs = 15_000

/**
 * Sends one request and follows no redirect unless told. Rejects when nothing answers within 15
 * seconds.
 */
export type Ask = (url: string, init?: RequestInit) => Promise<Answer>

/** An answer. */
export interface Answer {
  /** Where it came from, after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined if the text is no JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined
}

/** Says what is wrong with an answer that is not Paywindow's; undefined if it is. */
export function whyNotPaywindow(answer: Answer): string | undefined {
  const { status, headers, json } = answer
  if (json?.v === 1) return undefined
  const location = headers.get('location')
  if (location)
    return `It answers with a redirect to ${plainLine(location)}: give the widget the address that needs none.`
  return `It answers ${status} with ${typeOf(answer)}, and not as Paywindow does: the handler is mounted at another path, or not at all.`
}

interface AnsweredError {
  readonly code: string
  readonly message: string
  /** Words to follow the code, or none. */
  readonly incident: string
}

/** Reads the error of an answer. */
export function errorOf(json: Answer['json']): AnsweredError {
  const error = json?.error
  if (typeof error !== 'object' || error === null || !('code' in error))
    return { code: 'no error code', message: '', incident: '' }
  const message = 'message' in error ? plainLine(String(error.message)) : ''
  const incident = 'incident' in error ? `, incident ${plainLine(String(error.incident), 20)}` : ''
  return { code: plainLine(String(error.code), 40), message, incident }
}

/** Sends a request. Resolves with a sentence if nothing answers. */
export async function tryAsk(ask: Ask, url: string, init?: RequestInit): Promise<Answer | string> {
  try {
    return await ask(url, init)
  } catch (error) {
    const { causeName, causeCode } = causeOf(new Error('', { cause: error }))
    return `Nothing answers there: ${causeCode ?? causeName ?? 'unknown'}.`
  }
}

/** Names the content type of an answer in a sentence. */
export function typeOf({ headers }: Answer): string {
  return plainLine(headers.get('content-type') ?? 'no type', 60)
}

/** Sends requests with the process's `fetch`. */
export function createAsk({ fetch }: World): Ask {
  return async (url, init) => {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs), ...init })
    const text = await response.text()
    return { url: response.url || url, status: response.status, headers: response.headers, text, json: objectIn(text) }
  }
}

function objectIn(text: string): Answer['json'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
