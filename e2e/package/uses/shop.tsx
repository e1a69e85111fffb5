/** A shop on React. */
import { Paywindow, PaywindowError, type PaywindowProps, usePaywindow } from 'paywindow'
import 'paywindow/element/react'
import 'paywindow/styles.css'
import 'paywindow/themes/mint.css'

const props: PaywindowProps = { endpoint: '/paywindow', reference: 'cart-42' }

export function Shop() {
  const { view } = usePaywindow({ endpoint: '/paywindow', reference: 'cart-42' })
  return (
    <main title={view.kind}>
      <Paywindow
        {...props}
        onConfirmed={(checkout) => console.log(checkout.id.toUpperCase())}
        onError={(error) => console.log(error instanceof PaywindowError, error.code)}
      />
    </main>
  )
}

// @ts-expect-error: an endpoint is required.
export const without = <Paywindow reference="cart-42" />
// @ts-expect-error: no such theme.
export const themed = <Paywindow {...props} theme="blue" />
export const element = (
  <pay-window
    endpoint="/paywindow"
    reference="cart-42"
    handover-url="/pay"
    keep-title
    ref={(node) => node?.addEventListener('paywindow:confirmed', ({ detail }) => console.log(detail.id))}
  />
)
// @ts-expect-error: no such theme.
export const darker = <pay-window theme="darker" />
// @ts-expect-error: React 18 would write notify="false", which sets it.
export const silent = <pay-window notify={false} />
