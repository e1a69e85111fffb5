/**
 * The true state at the service, which no part of Paywindow can know: every order with its address
 * and status, the creation request that made it, and when that request was sent.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { OrderStatus } from '../../../src/contract/checkout.ts'
import type { Sandbox, SandboxOrder, Workflow } from '../../../src/sandbox/index.ts'

/** The attempt that was stored before its creation request was sent. */
export interface Intent {
  readonly checkoutId: string
  readonly attemptId: string
}

/** One creation request on its way to the service. */
export interface Post {
  readonly intent: Intent | undefined
  /** When it was sent, in true time. */
  readonly sentMs: number
  readonly senderIsAlive: () => boolean
  /** How far its sender's own time was ahead of the true time when it was sent. */
  readonly senderAheadMs: number
  /** For how long its sender has stood still since it took its turn to send. */
  readonly senderPausedMs: () => number
  /** By how much the service's clock had been set forward in total when it was sent. */
  readonly serviceForwardMs: number
  /** True until its sender has an answer or has given up. */
  inFlight: boolean
  /** Number of orders that the service created for it. */
  orders: number
  /** How much longer its quote may be shown: a server that has only its own clock answered. */
  laterMs: number
}

/** An order as it is, and as it has been. */
export interface OrderState {
  readonly id: string
  readonly address: string
  readonly tag: string | null
  /** The request that created it; undefined for an order of somebody else. */
  readonly post: Post | undefined
  /** Every status that it has ever had. */
  readonly statuses: Set<OrderStatus>
  /**
   * Every workflow that it has been in, the sum of deposits with it, and since when, in true time.
   */
  readonly arrivals: { readonly workflow: Workflow; readonly received: string; readonly atMs: number }[]
  /** The order as it is now. */
  now(): SandboxOrder
}

/** The true state at the service. */
export interface Oracle {
  /** Must be called once for each order, while the sandbox creates it. */
  noteOrder(): void
  watch(sandbox: Sandbox): void
  /** Sends a creation request, and links to it every order that the sandbox creates for it. */
  during<Result>(post: Post, send: () => Promise<Result>): Promise<Result>
  readonly posts: readonly Post[]
  at(address: string, tag: string | null): OrderState | undefined
  /** Whether it is the first order with its address and tag. Deposits there go to the first one. */
  isFirst(order: OrderState): boolean
  order(id: string): OrderState | undefined
  all(): readonly OrderState[]
  /** Notes every order's status. Must be called before and after each change of a status. */
  note(): void
}

/** Creates an oracle. Creation requests must be sent through `during`. */
export function createOracle(nowMs: () => number): Oracle {
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
        arrivals: [],
        now: () => sandbox?.orders()[place] ?? order,
      }
      orders.push(oracle)
      byId.set(order.id, oracle)
      const key = placeOf(oracle.address, oracle.tag)
      // Deposits at an address that is used again go to the first order with that address.
      if (!byAddress.has(key)) byAddress.set(key, oracle)
    }
    return found
  }

  /** Refreshes the index only for an unknown key: most look-ups are for known orders. */
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
    at: (address, tag) => find(byAddress, placeOf(address, tag)),
    isFirst: (order) => find(byAddress, placeOf(order.address, order.tag)) === order,
    order: (id) => find(byId, id),
    all: () => {
      refresh()
      return orders
    },
    note: () => {
      refresh().forEach((order, place) => {
        const known = orders[place]
        const { workflow, received, status } = order
        known?.statuses.add(status)
        const last = known?.arrivals.at(-1)
        if (last?.workflow !== workflow || last.received !== received)
          known?.arrivals.push({ workflow, received, atMs: nowMs() })
      })
    },
  }
}

/** The place of a deposit, as a key. */
export function placeOf(address: string, tag: string | null): string {
  return `${address} ${tag ?? ''}`
}
