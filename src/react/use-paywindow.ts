/**
 * The checkout without its appearance, for pages that draw their own.
 */
import { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { own } from '../contract/parse.ts'
import { createEmit, type PaywindowCallbacks } from '../session/callbacks.ts'
import { openSession } from '../session/open-session.ts'
import { createReporter } from '../session/reporter.ts'
import type { PaywindowActions, SessionState } from '../session/state.ts'
import { targetKey } from '../session/target.ts'
import type { UsePaywindowOptions } from './options.ts'
import { useLatest } from './use-latest.ts'
import { useQueryPoll } from './use-query-poll.ts'
import { useSession } from './use-session.ts'

/**
 * Gets or creates the checkout of a cart and follows it while mounted. Needs no provider.
 *
 * @returns the screen to draw (`view`), what is under way (`pending`, `actionError`, `trouble`),
 *   and the payer's actions.
 *
 * @example
 * ```tsx
 * function Amount({ reference }: { reference: string }) {
 *   const { view } = usePaywindow({ endpoint: '/paywindow', reference })
 *   return view.kind === 'waiting' ? <b>{view.checkout.amount}</b> : null
 * }
 * ```
 */
export function usePaywindow(options: UsePaywindowOptions): SessionState & PaywindowActions {
  const given = own(options)
  const callbacks = useLatest<PaywindowCallbacks>(given)
  const [emit] = useState(() => createEmit(() => callbacks.current, globalThis))
  const [client] = useState(() => given.queryClient ?? new QueryClient())
  const target = targetKey(given)
  const open = () => ({ target, session: openSession(given, globalThis, emit) })
  const [slot, setSlot] = useState(open)
  // Another cart gets another session. React renders again before anything of the old one is shown.
  if (slot.target !== target) setSlot(open)
  const { session } = slot
  const handle = useSession(session, useQueryPoll(session, client))
  const [report] = useState(() => createReporter(emit))
  // Runs after every render, but tells the page of each change only once.
  useEffect(() => report(session, handle.view))
  return handle
}
