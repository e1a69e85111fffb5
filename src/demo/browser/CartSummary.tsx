/** The books of an order, their total price, and the state of the order. */
import type { OrderView } from './order.ts'

interface CartSummaryProps {
  readonly order: OrderView
  readonly onQuantity: (book: string, quantity: number) => void
  readonly onNewOrder: () => void
}

/** What is in the cart, and what it costs. */
export function CartSummary({ order, onQuantity, onNewOrder }: CartSummaryProps) {
  const open = order.state === 'open'
  return (
    <section className="order" aria-labelledby="order-title">
      <h1 id="order-title">Order {order.number}</h1>
      <ul className="books">
        {order.books.map(({ id, title, kind, price, quantity }) => (
          <li className="book" key={id}>
            <img src={`/covers/${id}.svg`} alt="" width="56" height="80" />
            <div>
              <h2>{title}</h2>
              <p>
                {kind} · {price}
              </p>
              {open ? (
                <div className="quantity">
                  <QuantityButton
                    sign="−"
                    label={`One less copy of ${title}`}
                    quantity={quantity - 1}
                    onPick={(picked) => onQuantity(id, picked)}
                  />
                  <span>{quantity}</span>
                  <QuantityButton
                    sign="+"
                    label={`One more copy of ${title}`}
                    quantity={quantity + 1}
                    onPick={(picked) => onQuantity(id, picked)}
                  />
                </div>
              ) : (
                <p>Quantity {quantity}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
      <dl className="totals">
        <div>
          <dt>Total</dt>
          <dd>
            {order.total.amount} {order.total.asset}
          </dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd id="order-state" data-state={order.state}>
            {order.stateText}
          </dd>
        </div>
      </dl>
      <form method="post" action="/link">
        <button type="submit">Send a link</button>
      </form>
      <form method="post" action="/till" target="_blank" rel="noopener">
        <button type="submit">Open a till</button>
      </form>
      <button type="button" onClick={onNewOrder}>
        Start a new order
      </button>
    </section>
  )
}

interface QuantityButtonProps {
  readonly sign: string
  readonly label: string
  readonly quantity: number
  readonly onPick: (quantity: number) => void
}

function QuantityButton({ sign, label, quantity, onPick }: QuantityButtonProps) {
  return (
    <button type="button" aria-label={label} disabled={quantity < 0 || quantity > 9} onClick={() => onPick(quantity)}>
      {sign}
    </button>
  )
}
