/** The same shop drawn by React, with the widget as a component. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { askOrder, type OrderView } from './order.ts'
import { Storefront } from './Storefront.tsx'

const place = document.querySelector('#storefront')
// What the page came with stays until there is something to draw in its place.
const order = place && (await orderOfPage())
if (order) {
  createRoot(place).render(
    <StrictMode>
      <Storefront first={order} />
    </StrictMode>,
  )
}

async function orderOfPage(): Promise<OrderView> {
  for (;;) {
    const order = await askOrder('/api/order')
    if (order) return order
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
