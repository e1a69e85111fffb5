import { expect, it } from 'vitest'
import { someOrder, startMs } from '../records/records.testing.ts'
import { zoneOf } from './evidence.ts'
import { createdAtMs, createdByMs, inZone } from './facts.ts'
import { someSituation } from './situation.testing.ts'

const minuteMs = 60_000
/** An order of the window, as a clock shows it that is so many minutes ahead of UTC. */
const local = (minutes: number, id = 'order-1') =>
  someOrder({ id, createdAt: new Date(startMs + 1_000 + minutes * minuteMs).toISOString().replace('Z', '') })
const listed = { isListed: true }

it.each([-720, -570, -210, 0, 15, 330, 345, 765, 840])(
  'a zone of %i minutes is what the order of a request shows',
  (minutes) => {
    const order = local(minutes)
    expect(createdAtMs(order)).toBeNaN()
    expect(createdByMs(order)).toBeGreaterThan(startMs)
    expect(zoneOf(someSituation([order], listed))).toBe(minutes)
    expect(createdAtMs(inZone(order, minutes))).toBe(startMs + 1_000)
  },
)

it.each([
  ['other orders allow another', [local(540), local(525, 'order-2')], {}],
  ['it would be none of this world', [local(855)], {}],
  ['it would be no quarter of an hour', [local(547)], {}],
  ["the order is another checkout's", [local(540)], { taken: new Set(['order-1']) }],
  ['the order has another price', [{ ...local(540), targetAmount: '10' }], {}],
  ['the service does not say when it answered', [local(540)], { window: null }],
  ['the times name theirs', [someOrder()], {}],
])('no zone is shown where %s', (_, orders, more) => {
  expect(zoneOf(someSituation(orders, { ...listed, ...more }))).toBeUndefined()
})

it('a zone that is known stays until the list certainly has the order', () => {
  const orders = [inZone(local(540), 480)]
  expect(zoneOf(someSituation(orders, { isListed: false }))).toBeUndefined()
  expect(zoneOf(someSituation(orders, listed))).toBe(540)
})

it('a time of a whole minute is not taken for its first second', () => {
  const order = someOrder({ createdAt: '2026-11-21T10:00Z' })
  expect(createdAtMs(order)).toBeNaN()
  expect(createdByMs(order)).toBe(Date.parse('2026-11-21T10:01Z'))
})
