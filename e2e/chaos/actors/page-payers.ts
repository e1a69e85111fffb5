/** Payers whose browsers run no scripts, and payers who come by payment links. */
import type { MadeLink } from '../../../src/server/paywindow.ts'
import { createRandomStream } from '../world/random.ts'
import type { Cart, Instance, Link, Servers, World } from '../world/types.ts'
import type { Operator } from './operator.ts'
import { type PagePayer, pageStories } from './page-stories.ts'
import { drawCart } from './payers.ts'
import { openPlainBrowser } from './plain-browser.ts'

/** Lets them come. Resolves when the last one has left. */
export async function runPagePayers(
  world: World,
  way: Link,
  { operator, servers }: { readonly operator: Operator; readonly servers: Servers },
): Promise<void> {
  const { plan, time, carts } = world
  const random = createRandomStream(plan.seed, 'carts without scripts')
  const merchant = createLinkMaker(world, servers)
  const stories = Object.values(pageStories)
  const all = Array.from({ length: plan.plainCarts }, (_, number): Cart => {
    const cart = drawCart(`cart-${plan.number}-plain-${number}`, random)
    return { ...cart, session: `session=${cart.reference}` }
  })
  for (const cart of all) carts.set(cart.reference, cart)
  await Promise.all(
    all.map(async (cart, number) => {
      await time.sleep(random.between(0, plan.spanMs))
      const otherCart = all[(number + 1) % all.length] ?? cart
      const own = createRandomStream(plan.seed, `payer of ${cart.reference}`)
      await stories[number % stories.length]?.(
        createPayer(world, way, { cart, otherCart, random: own, operator, merchant }),
      )
    }),
  )
}

interface Given extends Pick<PagePayer, 'cart' | 'otherCart' | 'random' | 'operator'> {
  readonly merchant: ReturnType<typeof createLinkMaker>
}

function createPayer(world: World, way: Link, { merchant, ...own }: Given): PagePayer {
  const { reference, session = '' } = own.cart
  return {
    ...own,
    world,
    browser: (name, whose) => {
      world.findings.count('browsers without scripts')
      const cookies = whose === 'own' ? [session] : []
      return openPlainBrowser(world, way, { name: `${reference} ${name}`, reference, cookies })
    },
    link: merchant.link,
    revoke: () => merchant.revoke(own.cart),
  }
}

/** The merchant's own code, which tries again until a server has done it. */
function createLinkMaker({ time, findings, paymentLinks }: World, servers: Servers) {
  async function untilDone<Result>(work: (server: Instance['server']) => Promise<Result>): Promise<Result> {
    for (let tries = 0; tries < 1_000; tries++) {
      const instance = servers.pick()
      const done =
        instance &&
        (await Promise.race([
          work(instance.server).then((result) => ({ result })),
          instance.died.then(() => undefined),
        ]).catch(() => undefined))
      if (done) return done.result
      await time.sleep(2_000)
    }
    throw new Error('No server makes or ends payment links')
  }

  return {
    link: async ({ reference }: Cart, validForMs: number): Promise<MadeLink> => {
      const made = await untilDone((server) => server.link({ reference, validForMs }))
      paymentLinks.note(new URL(made.url).searchParams.get('link') ?? '', { reference, expiresAtMs: made.expiresAtMs })
      findings.count('payment links made')
      return made
    },
    revoke: async ({ reference }: Cart): Promise<void> => {
      await untilDone((server) => server.revokeLinks(reference))
      paymentLinks.noteRevoked(reference)
      findings.trace('revoked', reference)
    },
  }
}
