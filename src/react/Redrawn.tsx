/**
 * Draws the widget again from its session when something else has taken its elements apart. Otherwise the error would remove the
 * whole page that the widget is part of.
 */
import { Component, type ReactNode } from 'react'
import { PaywindowError } from '../contract/errors.ts'
import type { PaywindowCallbacks } from '../session/callbacks.ts'

type RedrawnProps = Pick<PaywindowCallbacks, 'onError'> & { readonly children: ReactNode }

/** The pause before the next try when drawing keeps failing. */
const pauseMs = 3_000

/** Draws its children again when drawing them fails: at once, and every three seconds while it keeps failing. */
export class Redrawn extends Component<RedrawnProps> {
  override state = { isGone: false }
  private failedAtMs = 0

  override componentDidCatch(cause: unknown): void {
    const isAgain = this.failedAtMs > Date.now() - 2 * pauseMs
    this.failedAtMs = Date.now()
    this.setState({ isGone: true })
    setTimeout(() => this.setState({ isGone: false }), isAgain ? pauseMs : 0)
    // If the page's `onError` throws, the error is the page's own and surfaces as an unhandled rejection, like its others.
    if (!isAgain)
      Promise.resolve(new PaywindowError('internal', 'The widget could not be drawn', { cause })).then(
        this.props.onError,
      )
  }

  override render(): ReactNode {
    return this.state.isGone ? null : this.props.children
  }
}
