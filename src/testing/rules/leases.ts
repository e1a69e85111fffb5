/**
 * Leases, by the store's own clock. None of these rules knows what that clock says, only that it
 * runs.
 */
import assert from 'node:assert/strict'
import { untilTrue, withWrongTime } from '../clocks.ts'
import type { Rules } from '../test-stores.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Clocks that count whole milliseconds may end a lease by so much too early. */
const toleranceMs = 2

/** By sentences. */
export const leaseRules: Rules = {
  'leases to one holder until it is given back': async ({ store, another }) => {
    const other = await another()
    assert.equal(await store.lease('turn', 'one', minuteMs), true)
    assert.equal(await other.lease('turn', 'two', minuteMs), false)
    assert.equal(await other.lease('turn of others', 'two', minuteMs), true)
    assert.equal(await other.lease('turn', 'one', minuteMs), true)
    await other.release('turn', 'two')
    assert.equal(await other.lease('turn', 'two', minuteMs), false)
    await other.release('turn', 'one')
    assert.equal(await other.lease('turn', 'two', minuteMs), true)
    assert.equal(await store.lease('turn', 'one', minuteMs), false)
    await store.release('nobody has it', 'one')
  },

  'ends a lease after its duration, and not before': async ({ store, another }) => {
    const other = await another()
    const beganMs = performance.now()
    assert.equal(await store.lease('turn', 'one', 200), true)
    await untilTrue(() => other.lease('turn', 'two', minuteMs))
    const tookMs = performance.now() - beganMs
    assert.ok(tookMs >= 200 - toleranceMs, `a lease of 200 ms was over after ${tookMs} ms`)
    assert.equal(await store.lease('turn', 'one', 100), false)
  },

  'extends a lease from now on, also to a shorter time': async ({ store, another }) => {
    const other = await another()
    await store.lease('longer', 'one', 50)
    assert.equal(await store.lease('longer', 'one', minuteMs), true)
    await store.lease('shorter', 'one', minuteMs)
    assert.equal(await store.lease('shorter', 'one', 50), true)
    await untilTrue(() => other.lease('shorter', 'two', minuteMs))
    assert.equal(await other.lease('longer', 'two', minuteMs), false)
  },

  'leases again to a holder whose lease has run out': async ({ store, another }) => {
    await store.lease('turn', 'one', 1)
    assert.equal(await store.lease('turn', 'one', minuteMs), true)
    assert.equal(await (await another()).lease('turn', 'two', minuteMs), false)
  },

  'respects a lease whatever the time is where it was taken, and where others want it': async ({ store, another }) => {
    const other = await another()
    for (const [name, takenMs, wantedMs] of [
      ['ahead', dayMs, 0],
      ['behind', -dayMs, 0],
      ['wanted ahead', 0, dayMs],
      ['wanted behind', 0, -dayMs],
    ] as const) {
      assert.equal(await withWrongTime(takenMs, () => store.lease(name, 'one', minuteMs)), true)
      assert.equal(await withWrongTime(wantedMs, () => other.lease(name, 'two', minuteMs)), false, name)
    }
  },

  'ends a lease after its duration that a server with a wrong clock has taken': async ({ store, another }) => {
    const other = await another()
    for (const aheadMs of [dayMs, -dayMs]) {
      const name = `taken ${aheadMs} ms ahead`
      const beganMs = performance.now()
      assert.equal(await withWrongTime(aheadMs, () => store.lease(name, 'one', 100)), true)
      await untilTrue(() => other.lease(name, 'two', minuteMs))
      assert.ok(performance.now() - beganMs >= 100 - toleranceMs, `${name} was over too early`)
    }
  },
}
