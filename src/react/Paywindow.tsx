/**
 * The checkout as one React component. Its styles are in `paywindow/styles.css`.
 */
import { useLater } from '#later'
import type { PaywindowLooks, UsePaywindowOptions } from './options.ts'
import { Redrawn } from './Redrawn.tsx'
import { usePaywindow } from './use-paywindow.ts'
import { Widget } from './Widget.tsx'

/** What the component is given. */
export type PaywindowProps = UsePaywindowOptions & PaywindowLooks

/** Gets or creates the checkout of `reference` at the merchant server and shows it until it is paid. */
export function Paywindow(props: PaywindowProps) {
  const handle = usePaywindow(props)
  // After the first request, beside it.
  useLater()
  return (
    <Redrawn onError={props.onError}>
      <Widget {...props} handle={handle} />
    </Redrawn>
  )
}
