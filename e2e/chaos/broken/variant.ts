/** What all groups of mistakes use. */
import { asList, asRecord, type JsonRecord } from '../../../src/contract/parse.ts'
import type { BrowserWindow } from '../../../src/session/world.ts'
import type { Breakage } from '../world/breakage.ts'
import type { Rule } from '../world/findings.ts'
import type { SegmentPlan } from '../world/plan.ts'

/** A mistake that breaks a rule on purpose. */
export interface Variant {
  /** What a server or a widget with this mistake does. */
  readonly what: string
  /** The run must find at least one of these rules broken. */
  readonly caughtBy: readonly Rule[]
  /** Settings that a segment needs for the mistake to show. */
  readonly plan?: Partial<SegmentPlan>
  /** Whether the mistake shows only where service and servers are under strain. */
  readonly isUnderStrain?: boolean
  /** Creates the breakage anew for each run, because some breakages keep state. */
  make(): Breakage
}

/** Enough carts for faults that strike few. */
export const manyCarts = { carts: 120, spanMs: 1_080_000 }

/** Wraps the service's `fetch`: changes the orders on each page of the list. */
export function throughLists(
  service: typeof fetch,
  change: (orders: readonly JsonRecord[]) => readonly JsonRecord[],
): typeof fetch {
  return async (input, init) => {
    const answer = await service(input, init)
    if (!answer.ok || !String(input).includes('page=')) return answer
    const text = await answer.text()
    try {
      const list = asRecord(JSON.parse(text), 'list')
      const orders = asList(list.orders, 'orders', 1_000).map((order) => asRecord(order, 'order'))
      return new Response(JSON.stringify({ ...list, orders: change(orders) }), answer)
    } catch {
      // A body that is not a valid list is passed on unchanged.
      return new Response(text, answer)
    }
  }
}

/** A copy of a window in which some parts are replaced. */
export function windowWith(window: BrowserWindow, changes: Partial<BrowserWindow>): BrowserWindow {
  return { ...window, ...listening(window), ...changes }
}

/** The listeners of a window or document, as own methods, for a copy of it. */
export function listening(target: Pick<BrowserWindow, 'addEventListener' | 'removeEventListener'>) {
  return {
    addEventListener: (name: string, listener: () => void) => target.addEventListener(name, listener),
    removeEventListener: (name: string, listener: () => void) => target.removeEventListener(name, listener),
  }
}
