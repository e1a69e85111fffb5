import { Paywindow } from 'paywindow'
import 'paywindow/styles.css'
import { signed } from '../../payments.js'

/** On the server alone. */
export const loader = () => ({ reference: signed('cart-42') })

export default function Pay({ loaderData }) {
  return (
    <main>
      <h1>Pay for order 42</h1>
      <Paywindow endpoint="/paywindow" reference={loaderData.reference} />
    </main>
  )
}
