/**
 * Opens a session for a page, in the window of that page.
 */
import type { ReadClocks } from '../checkout/deadline.ts'
import type { Initial } from '../contract/checkout.ts'
import { own } from '../contract/parse.ts'
import { parseInitial } from '../contract/parsers.ts'
import { createApi } from './api.ts'
import { createReport, type Emit } from './callbacks.ts'
import { openedLink } from './links.ts'
import { createSession, type Session } from './session.ts'
import { incomplete, type PaywindowTarget } from './target.ts'
import { tooOld } from './too-old.ts'
import type { BrowserWindow } from './world.ts'

/** What a page may pass in place of its window's own. */
interface Given {
  readonly fetch?: typeof fetch | undefined
  readonly clock?: ReadClocks | undefined
  /** What a server has drawn, or its JSON. */
  readonly initial?: unknown
}

/** Asks the merchant server of `target`. A missing endpoint or reference, or a browser that is too old, is refused before anything is sent. */
export function openSession(given: PaywindowTarget & Given, window: BrowserWindow, emit: Emit): Session {
  const target = own(given)
  const { endpoint, asset, network } = target
  // A page without types may have a number for its cart, or nothing where there should be a path.
  const reference = String(target.reference ?? '')
  const api = createApi(String(endpoint), target.fetch, window)
  const isComplete = typeof endpoint === 'string' && reference && !asset === !network
  const refusal = tooOld(window) ?? (isComplete ? null : incomplete(target))
  // A page with its own cart shows that cart, whatever a link says.
  const viewed = reference ? null : openedLink(window)
  return createSession({
    api: refusal ? { ...api, create: () => Promise.reject(refusal) } : api,
    reference,
    method: asset && network ? { asset, network } : undefined,
    viewed,
    initial: readInitial(target.initial, reference),
    window,
    clock: target.clock ?? (() => ({ monotonicMs: window.performance.now(), wallMs: window.Date.now() })),
    onError: createReport(emit, window),
  })
}

/** Null where there is none, and where it is of another cart or another version: then the server is asked. */
function readInitial(json: unknown, reference: string): Initial | null {
  try {
    const initial = own(parseInitial(typeof json === 'string' ? JSON.parse(json) : json))
    return (initial.checkout ?? initial.offer)?.reference === reference ? initial : null
  } catch {
    return null
  }
}
