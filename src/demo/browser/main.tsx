/** The same shop drawn by React, with the widget as a component. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { readOrder } from './order.ts'
import { Storefront } from './Storefront.tsx'

const place = document.querySelector<HTMLElement>('#storefront')
// The page already contains the order, so that the widget need not wait for another answer from the
// shop.
const order = readOrder(JSON.parse(place?.dataset.order ?? 'null'))
if (place && order) {
  createRoot(place).render(
    <StrictMode>
      <Storefront first={order} />
    </StrictMode>,
  )
}
