/**
 * The checkout as one React component. Its styles are in `paywindow/styles.css`.
 */
import { type ReactNode, useEffect } from 'react'
import { useLater } from '#later'
import { onLocalhost } from '../session/show-developer.ts'
import { showDeveloper, showWith } from '../session/tell.ts'
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
export type PaywindowProps = UsePaywindowOptions &
  PaywindowLooks & {
    /**
     * The merchant's logo, in the head of a card that is 480 px wide or more: an `img` or `svg`, up
     * to 40 px high. Default: none.
     */
    readonly logo?: ReactNode
  }

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
  // Called after `usePaywindow`, so that loading starts after the first request and runs in
  // parallel with it.
  useLater()
  // Once: who changes an option changes how it is written no more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => showDeveloper(window, props), [])
  return (
    <Redrawn onError={props.onError}>
      <Widget {...props} locale={props.texts ? props.locale : english(props.locale)} handle={handle} />
    </Redrawn>
  )
}

/**
 * A page in another language that gives no texts is shown English words: their numbers, their
 * direction and their voice are English, too. A server knows nothing of the page around it.
 */
function english(locale: string | undefined): string {
  const wanted = locale ?? (typeof document === 'undefined' ? '' : document.documentElement.lang)
  return /^en\b/i.test(wanted) ? wanted : 'en'
}
