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

/**
 * Asks the merchant server of `target`. A missing endpoint or reference, or a browser that is too
 * old, is refused before anything is sent.
 */
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
  const session = createSession({
    api: refusal ? { ...api, create: () => Promise.reject(refusal) } : api,
    reference,
    method: asset && network ? { asset, network } : undefined,
    viewed,
    initial: readInitial(target, reference),
    window,
    // A page may have a variable of its own named performance.
    clock:
      target.clock ??
      (() => ({ monotonicMs: window.performance.now?.() ?? window.Date.now(), wallMs: window.Date.now() })),
    onError: createReport(emit, window),
  })
  const { initial } = target
  if (session.drawn && typeof initial === 'object' && initial) session.subscribe(() => spent.add(initial))
  return session
}

/**
 * What has changed since it was drawn. A component that is mounted once more with it asks first.
 */
const spent = new WeakSet<object>()

/**
 * Null where there is none, and where it is of another cart, method or version, or spent: then the
 * server is asked.
 */
function readInitial({ initial: json, asset, network }: PaywindowTarget & Given, reference: string): Initial | null {
  try {
    if (typeof json === 'object' && json && spent.has(json)) return null
    const initial = own(parseInitial(typeof json === 'string' ? JSON.parse(json) : json))
    const { checkout, offer } = initial
    const isOther = checkout && asset && (checkout.asset.symbol !== asset || checkout.network !== network)
    return (checkout ?? offer)?.reference === reference && !isOther ? initial : null
  } catch {
    return null
  }
}
