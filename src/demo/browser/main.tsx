/** The same shop drawn by React, with the widget as a component. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Storefront } from './Storefront.tsx'

const place = document.querySelector('#storefront')
if (place) {
  createRoot(place).render(
    <StrictMode>
      <Storefront />
    </StrictMode>,
  )
}
