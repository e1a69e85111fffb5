import { Paywindow } from 'paywindow'
import 'paywindow/styles.css'

export default function Pay() {
  return (
    <main>
      <h1>Pay for order 42</h1>
      <Paywindow endpoint="/paywindow" reference="cart-42" />
    </main>
  )
}
