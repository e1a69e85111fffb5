import './shop.css'

export const metadata = { title: 'Pay for order 42', icons: 'data:,' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
