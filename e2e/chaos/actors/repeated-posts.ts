/** Browsers that post too often: an impatient client, and an attacker with forged addresses. */
import { forwardedHeader } from '../shop/clients.ts'
import { addressOf } from '../world/device.ts'
import { createRandomStream } from '../world/random.ts'
import type { Link, World } from '../world/types.ts'

/** Somebody who presses the button once a second for five minutes, while creations are refused. */
export async function runImpatient({ plan, carts, time }: World, link: Link): Promise<void> {
  const refused = plan.strain.refusals.filter(({ status }) => status === 400)
  for (const { atMs } of refused) {
    await time.sleep(atMs + 60_000)
    const cart = [...carts.values()].at(0)
    const method = cart?.methods[0]
    if (!cart || !method) return
    const reference = `impatient-${plan.number}`
    carts.set(reference, { ...cart, reference, prices: [...cart.prices] })
    const address = addressOf(plan.seed, 'impatient')
    const browserFetch = link.connect({ reference, address, isOnline: () => true })
    const body = JSON.stringify({ reference, ...method })
    for (let post = 0; post < 300; post++) {
      await browserFetch('/paywindow/checkouts', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).catch(() => undefined)
      await time.sleep(1_000)
    }
  }
}

/** An attacker who begins a payment of another cart every two seconds, with forged addresses. */
export async function runForger({ plan, carts, time }: World, link: Link): Promise<void> {
  if (!plan.strain.forger) return
  const random = createRandomStream(plan.seed, 'forger')
  const address = addressOf(plan.seed, 'forger')
  await time.sleep(60_000)
  for (let post = 0; post < 200; post++) {
    const cart = [...carts.values()].at(0)
    const method = cart?.methods[0]
    if (!cart || !method) return
    const reference = `forged-${plan.number}-${post}`
    carts.set(reference, { reference, prices: [{ asset: 'USD', amount: `${1_000 + post}.5` }], methods: cart.methods })
    const forged = `10.${random.between(0, 255)}.0.${random.between(1, 254)}`
    await link
      .connect({ reference, address, isOnline: () => true })('/paywindow/checkouts', {
        method: 'POST',
        headers: { 'content-type': 'application/json', [forwardedHeader]: forged },
        body: JSON.stringify({ reference, ...method }),
      })
      .catch(() => undefined)
    await time.sleep(2_000)
  }
}
