/**
 * The parts that the React entry loads from a separate file, so that the panel is drawn first.
 * Until they are loaded, and while they cannot be loaded, each screen shows its name in texts that
 * are already there: no payer is left with the address of a quote that has ended, or without the
 * word "paid". In a file of its own, so that the element, a single file, can have the parts
 * themselves in its place.
 */
import { useSyncExternalStore } from 'react'
import type { ViewKind } from '../checkout/view.ts'
import type { PanelTexts } from '../locales/en.ts'
import type { PaywindowActions, SessionState } from '../session/state.ts'
import type { AgoProps } from './parts/Ago.tsx'
import type { AttentionProps } from './parts/Attention.tsx'
import { Coin } from './parts/Coin.tsx'
import type { CopyDetailsProps } from './parts/CopyDetails.tsx'
import type { DifferencesProps } from './parts/Differences.tsx'
import type { GrowthProps } from './parts/Growth.tsx'
import type { HintsProps } from './parts/Hints.tsx'
import { OpenWallet } from './parts/OpenWallet.tsx'
import type { PressNoteProps } from './parts/PressNote.tsx'
import type { WalletsProps } from './parts/Wallets.tsx'
import type { WithdrawalProps } from './parts/Withdrawal.tsx'
import { useSetting } from './setting.ts'

type Parts = typeof import('#later-parts')

const retryMs = 3_000

/** Undefined while they are loading; null if they could not be loaded so far. */
let parts: Parts | null | undefined
let retry: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Loads the parts unless they are already loaded. Rejects as `import` does. */
export async function loadLater(): Promise<void> {
  parts ??= await import('#later-parts')
}

/**
 * The loaded parts. While they are missing and a component uses them, loading is tried again and
 * again.
 */
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
    // The browser has already logged in its console what it could not load.
    parts = null
    clearTimeout(retry)
    if (listeners.size > 0) retry = setTimeout(load, retryMs)
  }
  for (const listener of listeners) listener()
}

/** All screens but the panel. Until their file is loaded, only the name of the screen is shown. */
export function LaterScreen({ handle }: { handle: SessionState & PaywindowActions }) {
  const { view } = handle
  const { texts } = useSetting()
  const later = useLater()
  if (later) return <later.LaterScreen handle={handle} />
  return (
    <div className="pw-result">
      {view.kind === 'seen' || view.kind === 'paid' ? (
        <Coin
          form={view.kind === 'paid' ? 'done' : 'busy'}
          {...view.checkout.asset}
          networkInfo={view.checkout.networkInfo}
        />
      ) : null}
      <h2 className="pw-title" part="title" tabIndex={-1}>
        {texts[words[view.kind === 'settledElsewhere' ? view.cart : view.kind]]}
      </h2>
      {later === null ? (
        // Many browsers never request a module again that failed to load, until the page is
        // reloaded.
        <button type="button" className="pw-button" part="button" data-look="quiet" onClick={() => location.reload()}>
          {texts.reload}
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
  // Also where something else arrived, so not that it is being confirmed.
  seen: 'stepSeen',
  paid: 'stepPaid',
  ended: 'endedTitle',
  unreachable: 'footRetrying',
  refused: 'refusedTitle',
}

/** When the status was last known. */
export function Ago(props: AgoProps) {
  const later = useLater()
  return later ? <later.Ago {...props} /> : null
}

/** The button that copies what support needs. */
export function CopyDetails(props: CopyDetailsProps) {
  const later = useLater()
  return later ? <later.CopyDetails {...props} /> : null
}

/** What becomes of a deposit that differs, on a screen that is there before. */
export function Differences(props: DifferencesProps) {
  const later = useLater()
  return later ? <later.Differences {...props} /> : null
}

/** Acknowledges a press, and says within two seconds why it is still waiting. */
export function PressNote(props: PressNoteProps) {
  const later = useLater()
  return later ? <later.PressNote {...props} /> : null
}

/** What to do at an exchange, around the fields, which are there from the beginning. */
export function Withdrawal(props: WithdrawalProps) {
  const later = useLater()
  return later ? <later.Withdrawal {...props} /> : props.children
}

/** The ways to a wallet on this device, of which the link is there from the beginning. */
export function Wallets(props: WalletsProps) {
  const later = useLater()
  return later ? <later.Wallets {...props} /> : props.isAsked ? null : <OpenWallet checkout={props.checkout} />
}

/** The way to another device, and the time that an exchange takes. */
export function Hints(props: HintsProps) {
  const later = useLater()
  return later ? <later.Hints {...props} /> : null
}

/** The page title, the screen wake lock and the notification. */
export function Attention(props: AttentionProps) {
  const later = useLater()
  return later ? <later.Attention {...props} /> : null
}

/** Lets the card grow from one screen to the next. */
export function Growth(props: GrowthProps) {
  const later = useLater()
  return later ? <later.Growth {...props} /> : null
}

/**
 * Brings a new screen into view. Does nothing without the parts, because no screen follows another
 * before they are loaded.
 */
export function bringIntoView(root: HTMLElement, heading: HTMLElement): void {
  parts?.bringIntoView(root, heading)
}
