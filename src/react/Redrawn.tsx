/**
 * Draws the widget again from its session when something else has taken its elements apart.
 * Otherwise the error would remove the whole page that the widget is part of.
 */
import { Component, type ReactNode } from 'react'
import { PaywindowError } from '../contract/errors.ts'
import { enPanel } from '../locales/en-panel.ts'
import type { PaywindowCallbacks } from '../session/callbacks.ts'

type RedrawnProps = Pick<PaywindowCallbacks, 'onError'> & { readonly children: ReactNode }

/** The pause before the next try when drawing keeps failing. */
const pauseMs = 3_000

/**
 * Draws its children again when drawing them fails: at once, and every three seconds while it keeps
 * failing. Meanwhile words say so.
 */
export class Redrawn extends Component<RedrawnProps> {
  override state: { readonly instead?: ReactNode } = {}
  private failedAtMs = 0

  override componentDidCatch(cause: unknown): void {
    const isAgain = this.failedAtMs > Date.now() - 2 * pauseMs
    this.failedAtMs = Date.now()
    // A slot is where the element's own words are shown, if the page gave it any. Elsewhere it
    // shows these.
    this.setState({ instead: isAgain ? <slot>{enPanel.footFailing}</slot> : null })
    setTimeout(() => this.setState({ instead: undefined }), isAgain ? pauseMs : 0)
    // If the page's `onError` throws, the error is the page's own and surfaces as an unhandled
    // rejection, like its others.
    if (!isAgain)
      Promise.resolve(new PaywindowError('internal', 'The widget could not be drawn', { cause })).then(
        this.props.onError,
      )
  }

  override render(): ReactNode {
    const { instead } = this.state
    return instead === undefined ? this.props.children : instead
  }
}
