/**
 * The checkout as one React component. Its styles are in `paywindow/styles.css`.
 */
import { useLater } from '#later'
import { onLocalhost } from '../session/show-developer.ts'
import { showWith } from '../session/tell.ts'
import type { PaywindowLooks, UsePaywindowOptions } from './options.ts'
import { Redrawn } from './Redrawn.tsx'
import { usePaywindow } from './use-paywindow.ts'
import { Widget } from './Widget.tsx'

showWith(onLocalhost)

/**
 * Props of `Paywindow`.
 *
 * @example
 * ```tsx
 * const props: PaywindowProps = { endpoint: '/paywindow', reference: 'cart-42', theme: 'dark' }
 * ```
 */
export type PaywindowProps = UsePaywindowOptions & PaywindowLooks

/**
 * Gets or creates the checkout of `reference` at the merchant server and shows it until it is paid.
 *
 * @example
 * ```tsx
 * const page = <Paywindow endpoint="/paywindow" reference="cart-42" onConfirmed={({ id }) => console.log(id)} />
 * ```
 */
export function Paywindow(props: PaywindowProps) {
  const handle = usePaywindow(props)
  // Called after `usePaywindow`, so that loading starts after the first request and runs in parallel with it.
  useLater()
  return (
    <Redrawn onError={props.onError}>
      <Widget {...props} handle={handle} />
    </Redrawn>
  )
}
