import { connection } from 'next/server'
import { Suspense } from 'react'
import { Checkout } from './checkout.jsx'

/** What only a visitor has. Imported with the first request, because a build has no service to ask. */
async function Payment() {
  await connection()
  const { signed } = await import('../payments.js')
  return <Checkout reference={signed('cart-42')} />
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
