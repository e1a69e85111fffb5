import { Paywindow } from 'paywindow'
import 'paywindow/styles.css'
import { paywindow, signed } from '../../payments.js'

/** On the server alone. With `initial` the page has the payment before its scripts have loaded. */
export async function loader({ request }) {
  const reference = signed('cart-42')
  return { reference, initial: await paywindow.open(request, { reference }) }
}

/** Nobody keeps the address of a payment. */
export const headers = () => ({ 'cache-control': 'private, no-store' })

export default function Pay({ loaderData }) {
  return (
    <main>
      <h1>Pay for order 42</h1>
      <Paywindow endpoint="/paywindow" {...loaderData} />
    </main>
  )
}
