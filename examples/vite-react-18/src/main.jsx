import { Paywindow } from 'paywindow'
import { createRoot } from 'react-dom/client'
import 'paywindow/styles.css'
import './shop.css'

function Checkout() {
  return (
    <>
      <h1>Pay for order 42</h1>
      <Paywindow endpoint="/paywindow" reference="cart-42" />
    </>
  )
}

createRoot(document.getElementById('root')).render(<Checkout />)
