// What a shop does with each change of a payment. docs/fulfilment.md says what differs in databases
// other than Node's SQLite.

/** Your shop has `orders` already. Their `checkout` is the one that was seen or has paid. */
export const tables = `
  CREATE TABLE IF NOT EXISTS orders (
    reference TEXT PRIMARY KEY, asset TEXT NOT NULL, total TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'open', checkout TEXT
  );
  CREATE TABLE IF NOT EXISTS payment_events (event_id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS jobs (
    kind TEXT NOT NULL, checkout TEXT NOT NULL, reference TEXT, done INTEGER NOT NULL DEFAULT 0,
    taken_until INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (kind, checkout)
  );
`

/** Longer than any job takes. */
const jobTakesMs = 10 * 60_000

/**
 * @param {import('node:sqlite').DatabaseSync} database
 * @param {{ paidStatuses?: readonly string[], test?: boolean }} options The statuses that your `phases` call
 *   paid, and whether this is a test shop: only a test shop sends something for test payments.
 */
export function createFulfilment(database, { paidStatuses = ['confirmed'], test = false } = {}) {
  const run = (sql, ...values) => database.prepare(sql).run(...values).changes
  const get = (sql, ...values) => database.prepare(sql).get(...values)

  /** Does all of the work, or none. */
  function inTransaction(work) {
    database.exec('BEGIN IMMEDIATE')
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }

  /** Writes down a job, once for each checkout. */
  const addJob = (kind, checkout, reference = null) =>
    run('INSERT OR IGNORE INTO jobs (kind, checkout, reference) VALUES (?, ?, ?)', kind, checkout, reference)

  /** @param {import('paywindow/server').StatusEvent} event */
  async function onStatusChange(event) {
    // Not the reference: where it is signed, whoever reads it in a log can open the cart.
    const { id } = event.checkout
    if (event.checkout.test && !test)
      return console.error(`TEST, no money has moved for checkout ${id}: this shop is live, and does nothing.`)
    inTransaction(() => {
      // Told before, and done.
      if (run('INSERT OR IGNORE INTO payment_events VALUES (?)', event.eventId) === 0) return
      const order = get('SELECT * FROM orders WHERE reference = ?', event.reference)
      // Undoes the id, too, and Paywindow calls again.
      if (!order) throw new Error(`there is no order of checkout ${id}`)
      if (paidStatuses.includes(event.previousStatus) && event.phase !== 'paid') takeBack(order, event)
      switch (event.phase) {
        // Another amount has come: onError writes a job for a person.
        case 'paid_less':
        case 'paid_more':
        case 'seen':
          return see(order, event)
        case 'paid':
          return pay(order, event)
        // Refunded, canceled, open again, or the deposit was another checkout's.
        case 'ended':
        case 'waiting':
          return reopen(order, event)
      }
    })
  }

  /** Send nothing yet. Keep what was reserved, and ask for no other payment. */
  function see({ reference }, { checkout }) {
    run("UPDATE orders SET state = 'seen', checkout = ? WHERE reference = ? AND state = 'open'", checkout.id, reference)
  }

  function pay(order, { checkout, price, alsoPaid }) {
    const { reference, state } = order
    // The cart changed after its price was named. Another call would see the same: a person decides.
    if (!isPriceOf(order, price)) return addJob('wrong price', checkout.id, reference)
    const isFirst = state === 'open' || state === 'seen'
    if (isFirst) {
      run("UPDATE orders SET state = 'paid', checkout = ? WHERE reference = ?", checkout.id, reference)
      addJob('send', checkout.id, reference)
    }
    // One checkout pays the order. Payments of the others go back.
    const payer = isFirst ? checkout.id : order.checkout
    // Where a person decides, nothing goes back by itself.
    for (const id of [checkout.id, ...alsoPaid])
      if (id !== payer && !get("SELECT 1 FROM jobs WHERE kind = 'wrong price' AND checkout = ?", id))
        addJob('refund', id, reference)
  }

  /** Only if this checkout was seen: another may be paid. */
  function reopen({ reference }, { checkout }) {
    run(
      "UPDATE orders SET state = 'open', checkout = NULL WHERE reference = ? AND checkout = ? AND state = 'seen'",
      reference,
      checkout.id,
    )
  }

  /** The payment was reversed: its open sends and refunds are dropped. */
  function takeBack({ reference, state, checkout }, event) {
    run("DELETE FROM jobs WHERE checkout = ? AND kind IN ('send', 'refund') AND done = 0", event.checkout.id)
    if (checkout !== event.checkout.id) return
    if (state === 'sent') addJob('sent but not paid', checkout, reference)
    else run("UPDATE orders SET state = 'open', checkout = NULL WHERE reference = ?", reference)
  }

  /** Writes a job for a person, once. Changes no order. */
  function onError(error, { checkoutId, reference }) {
    console.error(error.code, error.message, checkoutId)
    // Thrown by this code. The words of any other cause may hold secrets.
    if (error.code === 'callback_failed') console.error(error.cause)
    const forPeople = ['paid_twice', 'paid_less', 'paid_more', 'order_unresolved']
    if (checkoutId && forPeople.includes(error.code)) addJob(error.code, checkoutId, reference)
  }

  /**
   * Does the jobs. Call it every few seconds, in any number of processes. A job that was interrupted
   * runs again ten minutes later: what sends goods or money needs the checkout's id as idempotency key.
   */
  async function doJobs(doers) {
    for (const { kind, checkout } of database.prepare('SELECT * FROM jobs WHERE done = 0').all()) {
      if (!take(kind, checkout)) continue
      try {
        await doJob(get('SELECT * FROM jobs WHERE kind = ? AND checkout = ?', kind, checkout), doers)
        run('UPDATE jobs SET done = 1 WHERE kind = ? AND checkout = ?', kind, checkout)
      } catch (error) {
        run('UPDATE jobs SET taken_until = 0 WHERE kind = ? AND checkout = ?', kind, checkout)
        console.error(`${kind} for ${checkout} is tried again:`, error)
      }
    }
  }

  /** True for one caller, and only if the payment was not reversed meanwhile. */
  function take(kind, checkout) {
    const sql = 'UPDATE jobs SET taken_until = ? WHERE kind = ? AND checkout = ? AND done = 0 AND taken_until < ?'
    const nowMs = Date.now()
    return run(sql, nowMs + jobTakesMs, kind, checkout, nowMs) === 1
  }

  async function doJob(job, { send, refund, tell }) {
    if (job.kind === 'refund') return refund(job)
    if (job.kind !== 'send') return tell(job)
    run("UPDATE orders SET state = 'sent' WHERE checkout = ? AND state = 'paid'", job.checkout)
    return send(get('SELECT * FROM orders WHERE checkout = ?', job.checkout))
  }

  return { onStatusChange, onError, doJobs }
}

/** As text: `price` is what your `offer` returned. */
function isPriceOf({ asset, total }, price) {
  return price.asset === asset && price.amount === total
}
