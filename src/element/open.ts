/** The modal, for pages that have the element from npm. */
import { type OpenOptions, type OpenPaywindow, openPaywindow as openDialog } from './dialog.ts'
import { register } from './register.ts'

/**
 * Opens the checkout over the page, as `Paywindow.open` of the script tag does. If the same one is
 * already open, its handle is returned; another one takes its place. Registers `<pay-window>` where
 * nothing has yet.
 *
 * @returns The element, and `close()`.
 *
 * @example
 * ```ts
 * const pay = () => openPaywindow({ endpoint: '/paywindow', reference: 'cart-42', onClose: () => console.log('closed') })
 * document.createElement('button').addEventListener('click', pay)
 * ```
 */
export function openPaywindow(options: OpenOptions): OpenPaywindow {
  register()
  return openDialog(options)
}
