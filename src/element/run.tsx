/**
 * One session of an element on its page. Its first request is sent at once. It is drawn as soon as
 * there is something to draw and a language to draw it in. Until then an empty card keeps the
 * space.
 */
import type { ReactNode } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { loadLater } from '#later'
import type { Texts } from '../locales/en.ts'
import type { PaywindowLooks } from '../react/options.ts'
import type { Emit } from '../session/callbacks.ts'
import { openSession } from '../session/open-session.ts'
import { startPolling } from '../session/polling.ts'
import { createReporter } from '../session/reporter.ts'
import type { PaywindowTarget } from '../session/target.ts'
import { english } from './language.ts'
import { make } from './make.ts'
import { styleShadow } from './shadow-styles.ts'
import { Whole } from './Whole.tsx'

/**
 * If the answer comes within this time, no placeholder is drawn before it: that would only delay
 * the answer's screen.
 */
const patienceMs = 200

/**
 * How long what a server has drawn waits for the parts that are loaded later. After that it is
 * taken over without them.
 */
const wholeMs = 3_000

/** @param texts - Null while the language is loading. */
interface Looks extends Omit<PaywindowLooks, 'texts'> {
  readonly texts: Partial<Texts> | null
}

/** A widget on a page. */
export interface Run {
  /** Whether a server has drawn it. */
  readonly isDrawn: boolean
  /** Draws with these looks, now or when there is something to draw. */
  draw(looks: Looks): void
  /**
   * Removes everything from the page, for good. A creation that was already requested is not
   * undone.
   */
  stop(): void
}

/**
 * Starts a session, and ends it if there is nothing to draw into.
 *
 * @param place - Makes or finds that root; called only after the first request is sent.
 * @param initial - What a server has drawn into it, as JSON.
 */
export function startRun(place: () => ShadowRoot, target: PaywindowTarget, emit: Emit, initial?: string): Run {
  const session = openSession({ ...target, initial }, window, emit)
  const written = session.drawn && session.takeOver() ? session.state() : undefined
  const polling = startPolling(session, window, written !== undefined)
  const card = emptyCard()
  let shadow: ShadowRoot
  try {
    shadow = place()
    if (!written) {
      shadow.replaceChildren(card)
      styleShadow(shadow)
    }
  } catch (error) {
    polling.stop()
    throw error
  }
  const report = createReporter(emit)
  let looks: Looks | undefined
  let root: Root | undefined
  let isLate = false
  /** A server has drawn all parts. To take over fewer would remove some, and put them back. */
  let isWhole = !written

  /**
   * Draws for the first time. Takes over what a server has written, where that is what is drawn;
   * else nothing of it stays.
   */
  function begin({ locale, theme }: Pick<Looks, 'locale' | 'theme'>, whole: ReactNode): Root {
    const widget = shadow.querySelector<HTMLElement>('.pw')
    const isSame = session.state() === written && widget?.lang === locale && widget?.dataset.theme === theme
    // The widget is not put in anew: it would lose its focus, and what is selected in it.
    for (const part of [...shadow.childNodes]) if (!isSame || part !== widget) shadow.removeChild(part)
    styleShadow(shadow)
    // React's types do not name a shadow root, which is as good as an element.
    if (isSame) return hydrateRoot(shadow as unknown as Element, whole)
    const fresh = createRoot(shadow)
    fresh.render(whole)
    return fresh
  }

  function draw(): void {
    if (!looks) return
    card.dataset.theme = looks.theme
    // What a server has written stays until the language is loaded, but not when it is true no
    // more.
    const isStale = written && !root && session.state() !== written
    const { texts, locale } = looks.texts || !isStale ? looks : english
    if (!root && !isWhole && !isStale) return
    // What is shown in another language stays until this language is loaded.
    if (texts === null || (!root && !isLate && session.state().view.kind === 'preparing')) return
    const whole = (
      <Whole
        session={session}
        poll={polling}
        endpoint={target.endpoint}
        onError={(error) => emit('onError', error)}
        {...looks}
        texts={texts}
        locale={locale}
      />
    )
    if (root) root.render(whole)
    else root = begin({ ...looks, locale }, whole)
  }

  function look(): void {
    report(session, session.state().view)
    if (!root) draw()
  }

  function beWhole(): void {
    isWhole = true
    if (!root) draw()
  }

  look()
  // Beside the first request, so that it is mostly there before the answer.
  loadLater().then(beWhole, beWhole)
  if (written) setTimeout(beWhole, wholeMs)
  const unsubscribe = session.subscribe(look)
  const timer = setTimeout(() => {
    isLate = true
    look()
  }, patienceMs)
  return {
    isDrawn: written !== undefined,
    draw: (next) => {
      looks = next
      draw()
    },
    stop: () => {
      clearTimeout(timer)
      looks = undefined
      unsubscribe()
      polling.stop()
      root?.unmount()
      card.parentNode?.removeChild(card)
    },
  }
}

/** Classes with the fonts of the panel. Each of their lines also has a bold part. */
const lines = ['pw-price', 'pw-soft', 'pw-amount', 'pw-button', 'pw-value']

/**
 * A card as high as every screen of its width. Its invisible lines make browsers find and open the
 * fonts of the panel, which is half of the panel's layout, while the answer is on its way.
 */
function emptyCard(): HTMLElement {
  return make('section', 'pw', make('div', 'pw-card', ...lines.map(emptyLine)))
}

function emptyLine(className: string): HTMLElement {
  const line = make('b', className, '0', make('b', '', '0'))
  line.style.visibility = 'hidden'
  return line
}
