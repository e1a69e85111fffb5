/**
 * Draws the widget anew, from the session that it shows, when something took apart what stood there: else the whole page goes that it is
 * a part of.
 */
import { Component, type ReactNode } from 'react'
import { PaywindowError } from '../contract/errors.ts'
import type { PaywindowCallbacks } from '../session/callbacks.ts'

type RedrawnProps = Pick<PaywindowCallbacks, 'onError'> & { readonly children: ReactNode }

/** What cannot be drawn at all is tried again after this. */
const pauseMs = 3_000

/** Draws its children anew where they broke: at once, and every three seconds where they break again. */
export class Redrawn extends Component<RedrawnProps> {
  override state = { isGone: false }
  private failedAtMs = 0

  override componentDidCatch(cause: unknown): void {
    const isAgain = this.failedAtMs > Date.now() - 2 * pauseMs
    this.failedAtMs = Date.now()
    this.setState({ isGone: true })
    setTimeout(() => this.setState({ isGone: false }), isAgain ? pauseMs : 0)
    // What the page throws is the page's, and comes where its other rejections do.
    if (!isAgain)
      Promise.resolve(new PaywindowError('internal', 'The widget broke', { cause })).then(this.props.onError)
  }

  override render(): ReactNode {
    return this.state.isGone ? null : this.props.children
  }
}
