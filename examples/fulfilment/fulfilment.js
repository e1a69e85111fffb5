// What a shop does with each change of a payment. The database is Node's own SQLite; docs/fulfilment.md says what differs in others.

/** `checkout` is the one that was seen or has paid. Your shop has its orders already; the other two tables are new. */
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
 * @param {readonly string[]} paidStatuses What `phases` of your server calls paid, if you set it.
 */
export function createFulfilment(database, paidStatuses = ['confirmed']) {
  const run = (sql, ...values) => database.prepare(sql).run(...values).changes
  const get = (sql, ...values) => database.prepare(sql).get(...values)

  /** Does all of the work, or none of it. */
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

  /** Writes down what is to be done later, once for each checkout. */
  const addJob = (kind, checkout, reference = null) =>
    run('INSERT OR IGNORE INTO jobs (kind, checkout, reference) VALUES (?, ?, ?)', kind, checkout, reference)

  /** @param {import('paywindow/server').StatusEvent} event */
  async function onStatusChange(event) {
    inTransaction(() => {
      // A change that was told before has its id here, and with it all that it caused.
      if (run('INSERT OR IGNORE INTO payment_events VALUES (?)', event.eventId) === 0) return
      const order = get('SELECT * FROM orders WHERE reference = ?', event.reference)
      // Undoes the id, too, and Paywindow calls again. Throw only for what can be different the next time.
      if (!order) throw new Error(`there is no order ${event.reference}`)
      if (paidStatuses.includes(event.previousStatus) && event.phase !== 'paid') takeBack(order, event)
      switch (event.phase) {
        // Another amount than was asked for has come: onError writes that down for a person.
        case 'paid_less':
        case 'paid_more':
        case 'seen':
          return see(order, event)
        case 'paid':
          return pay(order, event)
        // The service has refunded or canceled it, or says that it is open again; or what was seen was the deposit of another checkout.
        case 'ended':
        case 'waiting':
          return reopen(order, event)
      }
    })
  }

  /** Nothing is sent yet. Keep what was reserved, and do not ask for another payment. */
  function see({ reference }, { checkout }) {
    run("UPDATE orders SET state = 'seen', checkout = ? WHERE reference = ? AND state = 'open'", checkout.id, reference)
  }

  function pay(order, { checkout, price, alsoPaid }) {
    const { reference, state } = order
    // The cart has changed since its price was named: somebody has to decide. Another call would see the same.
    if (!isPriceOf(order, price)) return addJob('wrong price', checkout.id, reference)
    const isFirst = state === 'open' || state === 'seen'
    if (isFirst) {
      run("UPDATE orders SET state = 'paid', checkout = ? WHERE reference = ?", checkout.id, reference)
      addJob('send', checkout.id, reference)
    }
    // One checkout pays the order. What the others of this cart have paid goes back.
    const payer = isFirst ? checkout.id : order.checkout
    // Where somebody decides already, nothing goes back by itself.
    for (const id of [checkout.id, ...alsoPaid])
      if (id !== payer && !get("SELECT 1 FROM jobs WHERE kind = 'wrong price' AND checkout = ?", id))
        addJob('refund', id, reference)
  }

  /** Only if it was this checkout that was seen: another one may be paid. */
  function reopen({ reference }, { checkout }) {
    run(
      "UPDATE orders SET state = 'open', checkout = NULL WHERE reference = ? AND checkout = ? AND state = 'seen'",
      reference,
      checkout.id,
    )
  }

  /** It was paid and is no longer. What was not done for it is not done any more. */
  function takeBack({ reference, state, checkout }, event) {
    run("DELETE FROM jobs WHERE checkout = ? AND kind IN ('send', 'refund') AND done = 0", event.checkout.id)
    if (checkout !== event.checkout.id) return
    if (state === 'sent') addJob('sent but not paid', checkout, reference)
    else run("UPDATE orders SET state = 'open', checkout = NULL WHERE reference = ?", reference)
  }

  /** What a person has to look at. It is called again for the same thing, and changes no order. */
  function onError(error, { checkoutId, reference }) {
    console.error(error.code, error.message, checkoutId)
    // What this code itself has thrown. The words of any other cause are others', and may hold secrets.
    if (error.code === 'callback_failed') console.error(error.cause)
    const forPeople = ['paid_twice', 'paid_less', 'paid_more', 'order_unresolved']
    if (checkoutId && forPeople.includes(error.code)) addJob(error.code, checkoutId, reference)
  }

  /**
   * Does what was written down: call it every few seconds, in as many processes as you like. If one ends in the middle, its job is done again
   * ten minutes later, so give the id of the checkout to whatever sends goods and money, as its own key.
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

  /** True for one of all who ask, and only if the payment was not taken back meanwhile. */
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

/** As text: `price` is what your `offer` has returned. */
function isPriceOf({ asset, total }, price) {
  return price.asset === asset && price.amount === total
}
