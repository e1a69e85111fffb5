/**
 * What the React entry loads in a file of its own, so that the panel comes first. Until it is there, and as long as it cannot be
 * loaded, each screen is named in words that need no loading: nobody is left with an address that is over, or without "paid".
 * Alone in its file, so that the script, which is one file, has the parts themselves in its place.
 */
import { useSyncExternalStore } from 'react'
import type { ViewKind } from '../checkout/view.ts'
import type { PanelTexts } from '../locales/en.ts'
import type { PaywindowActions, SessionState } from '../session/state.ts'
import type { AttentionProps } from './parts/Attention.tsx'
import type { CopyDetailsProps } from './parts/CopyDetails.tsx'
import type { HintsProps } from './parts/Hints.tsx'
import type { PressNoteProps } from './parts/PressNote.tsx'
import { useSetting } from './setting.ts'

type Parts = typeof import('./later-parts.tsx')

const retryMs = 3_000

/** Undefined while it is on its way, and null when it could not be loaded so far. */
let parts: Parts | null | undefined
let retry: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Loads them where they are not there yet. Rejects as `import` does. */
export async function loadLater(): Promise<void> {
  parts ??= await import('./later-parts.tsx')
}

/** What was loaded; asked for, again and again, as long as it is not there and something needs it. */
export function useLater(): typeof parts {
  return useSyncExternalStore(
    subscribe,
    () => parts,
    () => undefined,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1 && !parts) load()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(retry)
  }
}

async function load(): Promise<void> {
  try {
    await loadLater()
  } catch {
    // The browser has said in its console what it could not load.
    parts = null
    clearTimeout(retry)
    if (listeners.size > 0) retry = setTimeout(load, retryMs)
  }
  for (const listener of listeners) listener()
}

/** All screens but the panel; until their file is there, each by its name. */
export function LaterScreen({ handle }: { handle: SessionState & PaywindowActions }) {
  const { view } = handle
  const { texts } = useSetting()
  const later = useLater()
  if (later) return <later.LaterScreen handle={handle} />
  return (
    <div className="pw-result">
      <h2 className="pw-title" part="title" tabIndex={-1}>
        {texts[words[view.kind === 'settledElsewhere' ? view.cart : view.kind]]}
      </h2>
      {later === null ? (
        // Many browsers keep to it that a file could not be loaded, until the page is loaded anew.
        <button type="button" className="pw-button" part="button" onClick={() => location.reload()}>
          {texts.retry}
        </button>
      ) : null}
    </div>
  )
}

const words: Readonly<Record<Exclude<ViewKind, 'settledElsewhere'>, keyof PanelTexts>> = {
  preparing: 'preparing',
  choosing: 'preparing',
  waiting: 'preparing',
  expired: 'expiredTitle',
  seen: 'footSeen',
  paid: 'stepPaid',
  ended: 'endedTitle',
  unreachable: 'footRetrying',
  refused: 'refusedTitle',
}

/** The button that copies what support needs. */
export function CopyDetails(props: CopyDetailsProps) {
  const later = useLater()
  return later ? <later.CopyDetails {...props} /> : null
}

/** Says that a press was heard, and after two seconds why it waits. */
export function PressNote(props: PressNoteProps) {
  const later = useLater()
  return later ? <later.PressNote {...props} /> : null
}

/** Help to send, and near the end of the quote not to. */
export function Hints(props: HintsProps) {
  const later = useLater()
  return later ? <later.Hints {...props} /> : null
}

/** The title, the wake lock and the notice. */
export function Attention(props: AttentionProps) {
  const later = useLater()
  return later ? <later.Attention {...props} /> : null
}

/** Without the parts there is no screen that another one follows. */
export function bringIntoView(root: HTMLElement, heading: HTMLElement): void {
  parts?.bringIntoView(root, heading)
}
