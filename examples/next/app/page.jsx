import { headers } from 'next/headers'
import { connection } from 'next/server'
import { Suspense } from 'react'
import { Checkout } from './checkout.jsx'

/** What only a visitor has. Imported with the first request, because a build has no service to ask. */
async function Payment() {
  await connection()
  const { paywindow, signed } = await import('../payments.js')
  const reference = signed('cart-42')
  // With `initial` the page has the payment before its scripts have loaded.
  const request = new Request('https://shop.example', { headers: await headers() })
  return <Checkout reference={reference} initial={await paywindow.open(request, { reference })} />
}

export default function Page() {
  return (
    <main>
      <h1>Pay for order 42</h1>
      {/* Keeps the place until it is known whose cart it is. */}
      <Suspense
        fallback={
          <div className="pw">
            <div className="pw-card" />
          </div>
        }
      >
        <Payment />
      </Suspense>
    </main>
  )
}
