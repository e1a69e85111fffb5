import { Checkout } from './checkout.jsx'

export default function Page() {
  return (
    <main>
      <h1>Pay for order 42</h1>
      <Checkout reference="cart-42" />
    </main>
  )
}
