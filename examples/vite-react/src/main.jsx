import { Paywindow } from 'paywindow'
import { createRoot } from 'react-dom/client'
import 'paywindow/styles.css'
import './shop.css'

function Checkout({ reference }) {
  return (
    <>
      <h1>Pay for order 42</h1>
      <Paywindow endpoint="/paywindow" reference={reference} />
    </>
  )
}

// Whose cart it is, the server knows by its session.
const { reference } = await (await fetch('/cart')).json()
createRoot(document.getElementById('root')).render(<Checkout reference={reference} />)
