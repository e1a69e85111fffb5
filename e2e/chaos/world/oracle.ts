/**
 * What really is at the service, as the simulation knows it and no part of Paywindow can: every order with its address and
 * state, which creation request made it, and when that was sent.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { OrderStatus } from '../../../src/contract/checkout.ts'
import type { Sandbox, SandboxOrder } from '../../../src/sandbox/index.ts'

/** A creation request that was stored before it went out. */
export interface Intent {
  readonly checkoutId: string
  readonly attemptId: string
}

/** One creation request on its way to the service. */
export interface Post {
  readonly intent: Intent | undefined
  /** True time. */
  readonly sentMs: number
  readonly senderIsAlive: () => boolean
  /** How far its sender's clock was ahead of the true time. */
  readonly senderAheadMs: number
  /** How far the service's clock had been set forward in all, by then. */
  readonly serviceForwardMs: number
  /** Until its sender has an answer, or knows that none comes. */
  inFlight: boolean
  /** Orders that the service made of it. */
  orders: number
  /** How much later its quote may have been answered, by a server that had only its own clock to go by. */
  laterMs: number
}

interface OrderState {
  readonly id: string
  readonly address: string
  readonly tag: string | null
  /** Undefined for an order that came from somebody else. */
  readonly post: Post | undefined
  /** Every status it ever had. */
  readonly statuses: Set<OrderStatus>
  /** As it is now. */
  now(): SandboxOrder
}

/** What really is at the service. */
export interface Oracle {
  /** To be passed to the sandbox, which asks it once for each order it makes. */
  noteOrder(): void
  watch(sandbox: Sandbox): void
  /** Runs the sending of a creation request, so that the order it makes is known as its own. */
  during<Result>(post: Post, send: () => Promise<Result>): Promise<Result>
  readonly posts: readonly Post[]
  at(address: string, tag: string | null): OrderState | undefined
  /** Whether no earlier order has its address and tag: deposits there go to it. */
  isFirst(order: OrderState): boolean
  order(id: string): OrderState | undefined
  all(): readonly OrderState[]
  /** Writes down the statuses that orders have now. To be called around everything that changes one. */
  note(): void
}

/** Reads the sandbox, and is told of each creation by the way to it. */
export function createOracle(): Oracle {
  const current = new AsyncLocalStorage<Post>()
  const makers: (Post | undefined)[] = []
  const posts: Post[] = []
  const orders: OrderState[] = []
  const byAddress = new Map<string, OrderState>()
  const byId = new Map<string, OrderState>()
  let sandbox: Sandbox | undefined

  function refresh(): readonly SandboxOrder[] {
    const found = sandbox?.orders() ?? []
    for (const order of found.slice(orders.length)) {
      const place = orders.length
      const oracle: OrderState = {
        id: order.id,
        address: order.address ?? '',
        tag: order.tag,
        post: makers[place],
        statuses: new Set(['open']),
        now: () => sandbox?.orders()[place] ?? order,
      }
      orders.push(oracle)
      byId.set(order.id, oracle)
      const key = keyOf(oracle.address, oracle.tag)
      // Deposits at an address that is used again go to the first order there.
      if (!byAddress.has(key)) byAddress.set(key, oracle)
    }
    return found
  }

  /** The index is completed when it does not know: orders are made far more seldom than asked for. */
  function find(index: ReadonlyMap<string, OrderState>, key: string): OrderState | undefined {
    const known = index.get(key)
    if (known) return known
    refresh()
    return index.get(key)
  }

  return {
    noteOrder: () => {
      const post = current.getStore()
      makers.push(post)
      if (post) post.orders += 1
    },
    watch: (watched) => {
      sandbox = watched
    },
    during: (post, send) => {
      posts.push(post)
      return current.run(post, send)
    },
    posts,
    at: (address, tag) => find(byAddress, keyOf(address, tag)),
    isFirst: (order) => find(byAddress, keyOf(order.address, order.tag)) === order,
    order: (id) => find(byId, id),
    all: () => {
      refresh()
      return orders
    },
    note: () => {
      refresh().forEach((order, place) => {
        orders[place]?.statuses.add(order.status)
      })
    },
  }
}

function keyOf(address: string, tag: string | null): string {
  return `${address} ${tag ?? ''}`
}
