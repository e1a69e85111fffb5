/**
 * The card: head, current screen, foot, and the one live region. Draws what it is given and sends
 * no requests.
 */
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { Attention, Growth, LaterScreen } from '#later'
import type { View, ViewKind } from '../checkout/view.ts'
import type { Initial } from '../contract/checkout.ts'
import { own } from '../contract/parse.ts'
import { directionOf } from '../locales/direction.ts'
import { enPanel } from '../locales/en-panel.ts'
import { textsIn } from '../locales/texts-in.ts'
import type { PaywindowActions, SessionState } from '../session/state.ts'
import { isHeld } from './decoration.ts'
import type { PaywindowLooks } from './options.ts'
import { Countdown } from './parts/Countdown.tsx'
import { Foot } from './parts/Foot.tsx'
import { Head, type Order } from './parts/Head.tsx'
import { SettingContext } from './setting.ts'
import { Preparing } from './states/Preparing.tsx'
import { Waiting } from './states/Waiting.tsx'
import { useScreenChange } from './use-screen-change.ts'

interface WidgetProps extends PaywindowLooks {
  readonly endpoint: string
  /** The merchant's. */
  readonly logo?: ReactNode
  readonly handle: SessionState & PaywindowActions
  /** What a server has drawn. */
  readonly initial?: Initial | null | undefined
}

/** The card: head, screen and foot, with the one live region. */
export function Widget(props: WidgetProps) {
  const {
    endpoint,
    logo,
    handle,
    initial,
    texts: overrides,
    theme = 'auto',
    locale: wanted,
    handoverUrl,
    supportUrl,
    notify,
    keepTitle,
  } = own(props)
  // Many servers write `he_IL`, which browsers do not know.
  const locale = wanted?.replace(/_/g, '-')
  const { view } = handle
  const root = useRef<HTMLElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  // Written to the DOM directly, so that an announcement causes no render.
  const announce = useCallback((text: string) => {
    if (status.current) status.current.textContent = text
  }, [])
  const texts = useMemo(() => ({ ...enPanel, ...textsIn(overrides) }), [overrides])
  const [device] = useState(() => ({
    isDrawn: Boolean(initial),
    isHeld: initial ? initial.isHeld : isHeld(),
  }))
  const setting = useMemo(
    () => ({ texts, locale, endpoint, handoverUrl, supportUrl, notify, keepTitle, announce, ...device }),
    [texts, locale, endpoint, handoverUrl, supportUrl, notify, keepTitle, announce, device],
  )
  useScreenChange(root, view, announce)
  const order = orderOf(view)
  return (
    <SettingContext.Provider value={setting}>
      <section
        ref={root}
        className="pw"
        data-theme={theme}
        data-view={view.kind}
        data-tagged={'checkout' in view && view.checkout.tag !== null}
        aria-label={texts.widgetName}
        {...(locale ? { lang: locale, dir: directionOf(locale) } : {})}
        // The page's own English may be another than that of a server.
        suppressHydrationWarning
      >
        {/* Not around the live region: readers say nothing of what is busy. */}
        <div className="pw-card" part="card" aria-busy={view.kind === 'preparing'}>
          {order?.test ? (
            <p className="pw-test" part="test">
              {texts.test}
            </p>
          ) : null}
          {order?.viewOnly ? <p className="pw-from">{texts.viewOnly}</p> : null}
          {order || view.kind === 'preparing' ? (
            <Head order={order} logo={logo}>
              {view.kind === 'waiting' ? <Countdown {...handle} /> : <HeadWord kind={view.kind} />}
            </Head>
          ) : null}
          <div className="pw-body" part="body">
            <Screen handle={handle} />
          </div>
          <Attention view={view} />
          <Foot {...handle} order={order} />
        </div>
        <Growth root={root} view={view.kind} />
        <p className="pw-unseen" role="status" ref={status} />
      </section>
    </SettingContext.Provider>
  )
}

function HeadWord({ kind }: { kind: ViewKind }) {
  if (kind === 'preparing') return <span className="pw-bone" data-size="head" />
  return kind === 'expired' ? <span className="pw-soft">00:00</span> : null
}

function orderOf(view: View): Order | null {
  if ('checkout' in view) return view.checkout
  return 'offer' in view ? view.offer : null
}

/** Draws the screen for a state. */
function Screen({ handle }: { handle: SessionState & PaywindowActions }) {
  const { view } = handle
  if (view.kind === 'preparing') return <Preparing />
  // Another checkout gets new fields, so that none of them is still marked as copied.
  if (view.kind === 'waiting') return <Waiting key={view.checkout.id} checkout={view.checkout} {...handle} />
  return <LaterScreen handle={handle} />
}
