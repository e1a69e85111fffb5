/**
 * A session for what a page asks for, in the window of that page.
 */
import type { Clock } from '../checkout/deadline.ts'
import { handedOver } from '../checkout/handover.ts'
import { PaywindowError } from '../contract/errors.ts'
import { createApi } from './api.ts'
import { createSession, type Session } from './session.ts'
import type { PaywindowTarget } from './target.ts'
import { type BrowserWindow, clockOf } from './world.ts'

/** What a page may put in place of its window's own. */
interface Given {
  readonly fetch?: typeof fetch | undefined
  readonly clock?: Clock | undefined
}

/**
 * Asks the merchant server of `target`. A missing endpoint or reference is refused before anything is sent.
 *
 * @param onError - Told once per kind of failure until something succeeds.
 */
export function openSession(
  target: PaywindowTarget & Given,
  window: BrowserWindow,
  onError: (error: PaywindowError) => void,
): Session {
  const { endpoint, reference = '', asset, network } = target
  const api = createApi(endpoint, target.fetch, window)
  const isComplete = reference !== '' && (asset === undefined) === (network === undefined)
  // A page with a cart of its own shows that one, whatever a link says. On a server there is no link.
  const viewed = reference === '' ? handedOver(window.location?.hash) : null
  return createSession({
    api: isComplete ? api : { ...api, create: () => Promise.reject(incomplete()) },
    reference,
    method: asset !== undefined && network !== undefined ? { asset, network } : undefined,
    viewed,
    window,
    clock: target.clock ?? clockOf(window),
    onError,
  })
}

function incomplete(): PaywindowError {
  return new PaywindowError('invalid_options', 'reference is needed, and asset and network come together')
}
