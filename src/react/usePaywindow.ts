/**
 * The checkout without its looks, for those who draw their own.
 */
import { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { handedOver } from '../checkout/handover.ts'
import { PaywindowError } from '../contract/errors.ts'
import { createApi } from './api.ts'
import { browserClock } from './clock.ts'
import type { PaywindowCallbacks, PaywindowTarget, UsePaywindowOptions } from './options.ts'
import { createReporter } from './reporter.ts'
import { createSession, type Session, type SessionState } from './session.ts'
import { useLatest } from './useLatest.ts'
import { useQueryPoll } from './useQueryPoll.ts'
import { type PaywindowActions, useSession } from './useSession.ts'

/**
 * Gets or creates the checkout of a cart and follows it while mounted. Needs no provider.
 *
 * @returns the screen to draw (`view`), what is under way (`pending`, `actionError`, `trouble`), and the payer's actions.
 */
export function usePaywindow(options: UsePaywindowOptions): SessionState & PaywindowActions {
  const callbacks = useLatest<PaywindowCallbacks>(options)
  const [client] = useState(() => options.queryClient ?? new QueryClient())
  const target = targetKey(options)
  const open = () => ({ target, session: openSession(options, (error) => callbacks.current.onError?.(error)) })
  const [slot, setSlot] = useState(open)
  // Another cart is another session; React draws again before anything of the old one is seen.
  if (slot.target !== target) setSlot(open)
  const { session } = slot
  const handle = useSession(session, useQueryPoll(session, client))
  const { view } = handle
  const [report] = useState(createReporter)
  useEffect(() => report(session, view, callbacks.current), [report, session, view, callbacks])
  return handle
}

/** A session that asks the merchant server of `options`. A missing endpoint or reference is refused before anything is sent. */
export function openSession(options: UsePaywindowOptions, onError: (error: PaywindowError) => void): Session {
  const { endpoint, reference = '', asset, network } = options
  const api = createApi(endpoint, options.fetch)
  const isComplete = reference !== '' && (asset === undefined) === (network === undefined)
  // A page with a cart of its own shows that one, whatever a link says.
  const viewed = reference === '' && typeof location === 'object' ? handedOver(location.hash) : null
  return createSession({
    api: isComplete ? api : { ...api, create: () => Promise.reject(incomplete()) },
    reference,
    method: asset !== undefined && network !== undefined ? { asset, network } : undefined,
    viewed,
    clock: options.clock ?? browserClock,
    onError,
  })
}

function incomplete(): PaywindowError {
  return new PaywindowError('invalid_options', 'reference is needed, and asset and network come together')
}

/** The same text for the same target. */
export function targetKey({ endpoint, reference, asset, network }: PaywindowTarget): string {
  return JSON.stringify([endpoint, reference, asset, network])
}
