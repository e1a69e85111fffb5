/** The zone of times that name none: a service may write the time of its own place, which is another in summer than in winter. */
import type { Order } from '../../service/types.ts'
import { isLocalTime, serviceTimeMs } from '../time/service-times.ts'
import { contradiction, sameTarget } from './agreement.ts'
import type { Situation } from './evidence.ts'
import { zones } from './facts.ts'

/** Zones differ by quarters of an hour. */
const stepMinutes = 15
const minuteMs = 60_000

type Zoned = Order & { readonly zoneMinutes?: number }

/**
 * How far the service's own times are ahead of UTC, in minutes, as the order of a request shows: it was created in the request's window. Undefined
 * where orders of that price allow several zones, or none. While the list may not show the request's own order, a zone that is known stays.
 */
export function zoneOf({ checkout, instructions, listed, taken, window, isListed }: Situation): number | undefined {
  if (window === null || window.toMs - window.fromMs >= stepMinutes * minuteMs) return undefined
  if (!isListed && listed.some((order: Zoned) => order.zoneMinutes !== undefined)) return undefined
  const possible = new Set<number>()
  for (const order of listed) {
    if (!isLocalTime(order.createdAt) || taken.has(order.id) || checkout.excluded.includes(order.id)) continue
    if (contradiction(order, checkout, instructions) !== null || !sameTarget(order, checkout, instructions)) continue
    const aheadMs = serviceTimeMs(order.createdAt) - window.toMs
    const minutes = Math.ceil(aheadMs / minuteMs / stepMinutes) * stepMinutes
    const isInWindow = minutes * minuteMs - aheadMs <= window.toMs - window.fromMs
    if (isInWindow && minutes >= zones.leastMinutes && minutes <= zones.mostMinutes) possible.add(minutes)
  }
  const [minutes, ...more] = possible
  return more.length === 0 ? minutes : undefined
}

/** The order, with the zone of its times where they name none. */
export function inZone(order: Zoned, zoneMinutes: number | undefined): Zoned {
  if (zoneMinutes === undefined || order.zoneMinutes === zoneMinutes || !isLocalTime(order.createdAt)) return order
  return { ...order, zoneMinutes }
}
