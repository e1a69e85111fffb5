import { describe, expect, it } from 'vitest'
import { storeAround } from '../../testing/store-around.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { someCheckout } from './records.testing.ts'
import { createRepository } from './repository.ts'

/** A repository, and the calls of its store since the last question. */
function watched() {
  const memory = createMemoryStore()
  let calls: string[] = []
  const store = storeAround(memory, (name, call) => {
    calls.push(name)
    return call()
  })
  const takeCalls = () => {
    const taken = calls
    calls = []
    return taken
  }
  return { store: memory, repository: createRepository(store), takeCalls }
}

describe('putting off a look', () => {
  it('writes the queue and not the record', async () => {
    const { store, repository, takeCalls } = watched()
    const checkout = someCheckout({ nextLookAtMs: 1_000 })
    await repository.createCheckout(checkout)
    const before = await store.read(`checkout ${checkout.id}`)
    takeCalls()
    await repository.updateCheckouts([checkout.id], (latest) => ({ ...latest, nextLookAtMs: 2_000 }))
    expect(takeCalls()).toEqual(['readMany', 'reschedule'])
    expect(
      await repository.updateCheckout(checkout.id, (latest) => ({ ...latest, nextLookAtMs: 3_000 })),
    ).toMatchObject({
      nextLookAtMs: 3_000,
    })
    expect(takeCalls()).toEqual(['read', 'reschedule'])
    expect(await repository.readCheckout(checkout.id)).toEqual({ ...checkout, nextLookAtMs: 3_000 })
    expect(await store.read(`checkout ${checkout.id}`)).toEqual({
      ...before,
      due: [expect.objectContaining({ atMs: 3_000 })],
    })
  })

  it('is tried again where somebody else has changed the record meanwhile', async () => {
    const memory = createMemoryStore()
    const other = createRepository(memory)
    let isFirst = true
    const repository = createRepository({
      ...memory,
      reschedule: async (reschedulings) => {
        if (isFirst) await other.updateCheckout(checkout.id, (latest) => ({ ...latest, revision: 9 }))
        isFirst = false
        return memory.reschedule(reschedulings)
      },
    })
    const checkout = someCheckout({ nextLookAtMs: 1_000 })
    await repository.createCheckout(checkout)
    const expected = { ...checkout, nextLookAtMs: 2_000, revision: 9 }
    const put = (latest: typeof checkout) => ({ ...latest, nextLookAtMs: 2_000 })
    expect(await repository.updateCheckout(checkout.id, put)).toEqual(expected)
    isFirst = true
    expect(
      await repository.updateCheckouts([checkout.id], (latest) => ({ ...put(latest), nextLookAtMs: 3_000 })),
    ).toEqual([{ ...expected, nextLookAtMs: 3_000 }])
    expect(await other.readCheckout(checkout.id)).toEqual({ ...expected, nextLookAtMs: 3_000 })
  })
})
