/** Order and payment side by side. */
import { Paywindow } from 'paywindow'
import 'paywindow/styles.css'
import { useCallback, useEffect, useState } from 'react'
import { CartSummary } from './CartSummary.tsx'
import { askOrder, type OrderView, watchOrder } from './order.ts'

/** Options to try, as in `/react?notify&keep-title`. */
const tried = new URLSearchParams(location.search)

/** The React page of the shop: cart on one side, payment on the other. */
export function Storefront({ first }: { first: OrderView }) {
  const [order, setOrder] = useState(first)
  const ask = useCallback(async (...question: Parameters<typeof askOrder>) => {
    const answer = await askOrder(...question)
    if (answer) setOrder(answer)
  }, [])
  // The widget's events are only a reason to ask the server, which alone knows what is paid.
  const refresh = useCallback(() => void ask('/api/order'), [ask])
  useEffect(() => watchOrder(setOrder), [])

  return (
    <>
      <CartSummary
        order={order}
        onQuantity={(book, quantity) => ask('/cart', { book, quantity: String(quantity) })}
        onNewOrder={() => ask('/order/new', {})}
      />
      <div className="pay">
        {/* Another price is another payment: the key makes React start over. */}
        <Paywindow
          handoverUrl="/pay"
          supportUrl="https://lantern.example/help"
          logo={<img src="/lantern.svg" alt="" width="40" height="40" />}
          notify={tried.has('notify')}
          keepTitle={tried.has('keep-title')}
          key={`${order.reference} ${order.total.amount}`}
          endpoint="/paywindow"
          reference={order.reference}
          onStatusChange={refresh}
          onConfirmed={refresh}
        />
      </div>
    </>
  )
}
