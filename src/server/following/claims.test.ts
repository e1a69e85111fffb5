/**
 * Claims that were left behind, and claims that several processes make, take over and give back at
 * once.
 */
import { describe, expect, it } from 'vitest'
import type { PaywindowError } from '../../contract/errors.ts'
import { seededRandom } from '../../sandbox/index.ts'
import { withStatus } from '../core/transitions.ts'
import type { CheckoutRecord, Evidence } from '../core/types.ts'
import { someCheckout, someOrder } from '../records/records.testing.ts'
import { createRepository, type Repository } from '../records/repository.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'
import { createBindTo, createRelease } from './binding.ts'
import { createRecording } from './recording.ts'

const rules = {
  phaseOf: { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' },
  eventId: (id: string, status: string) => `${id} ${status}`,
} as const
const now = () => Date.parse('2026-11-21T10:00:00Z')

describe('an order that a checkout has claimed and is not bound to', () => {
  it('stays claimed where the record of that checkout cannot be read, or is gone', async () => {
    const { store, repository, bindTo } = await parts()
    await store.create({ key: 'checkout unreadable', value: '{', due: [], labels: [] })
    for (const [orderId, ownerId] of [
      ['one', 'unreadable'],
      ['two', 'gone'],
    ] as const) {
      await store.create({ key: `order ${orderId}`, value: ownerId, due: [], labels: [] })
      const after = await bindTo(await read(repository, 'a'), by('merchant', orderId))
      expect(after.binding).toBeNull()
      expect(await repository.ownerOf(orderId)).toBe(ownerId)
    }
  })
})

describe('a search whose deposit the store has lost meanwhile', () => {
  it.each([
    ['asks again', null],
    ['has another deposit', 'second'],
  ])('binds nothing to a checkout that %s', async (_, attemptId) => {
    const { repository, bindTo } = await parts()
    const searched = await read(repository, 'a')
    await repository.updateCheckout('a', ({ instructions, ...checkout }) => ({
      ...checkout,
      revision: checkout.revision + 1,
      instructions: instructions && attemptId !== null ? { ...instructions, attemptId } : null,
    }))
    expect((await bindTo(searched, by('timestamp', 'x'))).binding).toBeNull()
    expect(await repository.ownerOf('x')).toBeUndefined()
    const present = await read(repository, 'a')
    expect((await bindTo(present, by('timestamp', 'x'))).binding).toMatchObject({ orderId: 'x' })
  })
})

describe('a claim', () => {
  it('is made, where it was given back between two looks at it', async () => {
    const { store, repository } = await parts()
    await repository.claimOrder('x', 'a')
    let isFirst = true
    const late = createRepository({
      ...store,
      create: async (record) => {
        const isDone = await store.create(record)
        if (isFirst) await repository.disownOrder('x', 'a')
        isFirst = false
        return isDone
      },
    })
    expect(await late.claimOrder('x', 'b')).toBe('b')
    expect(await repository.ownerOf('x')).toBe('b')
  })

  it('is not undone by an earlier call that takes effect late', async () => {
    const { store, repository, bindTo } = await parts()
    await bindTo(await read(repository, 'a'), by('merchant', 'x'))
    await repository.updateCheckout('a', (checkout) => ({ ...checkout, binding: null, revision: 9 }))
    let takesEffect: () => Promise<unknown> = async () => undefined
    const hung = createRepository({
      ...store,
      replace: async (record, version) => {
        if (!record.key.startsWith('order ')) return store.replace(record, version)
        takesEffect = () => store.replace(record, version)
        throw new Error('The store has not answered')
      },
      remove: async (key, version) => {
        takesEffect = () => store.remove(key, version)
        throw new Error('The store has not answered')
      },
    })
    await expect(hung.disownOrder('x', 'a')).rejects.toThrow('The store has not answered')
    await repository.disownOrder('x', 'a')
    await bindTo(await read(repository, 'b'), by('timestamp', 'x'))
    await takesEffect()
    expect(await repository.ownerOf('x')).toBe('b')
  })
})

describe('a release whose order cannot be given back', () => {
  it('is reported with all others, and what it changed is told', async () => {
    const { store, repository, bindTo } = await parts()
    for (const [id, orderId] of [
      ['a', 'x'],
      ['b', 'y'],
    ] as const) {
      await bindTo(await read(repository, id), by('timestamp', orderId))
      await repository.updateCheckout(id, (checkout) => withStatus(checkout, 'pending', now(), rules))
    }
    const broken = createRepository({
      ...store,
      read: (key) => (key.startsWith('order ') ? Promise.reject(new Error('The database is gone')) : store.read(key)),
    })
    const [reported, changed]: [string[], string[]] = [[], []]
    const settings = { report: ({ code }: PaywindowError) => void reported.push(code) } as never
    const context = { repository: broken, settings, rules, now, plannedNow: now }
    const onChange = ({ id }: CheckoutRecord) => void changed.push(id)
    const { recordAll } = createRecording(context, createRelease(context, onChange), onChange)
    const others = (['x', 'y'] as const).map((id) => someOrder({ id, targetAsset: 'EUR' }))
    await expect(recordAll(new Map(others.map((order, at) => [['a', 'b'][at] ?? '', order])))).rejects.toThrow(
      'is gone',
    )
    expect(reported).toEqual(['binding_contradicted', 'binding_contradicted'])
    expect(changed).toEqual(['a', 'b'])
  })
})

/** A store, checkouts `a` and `b` in it, and what binds them. */
async function parts(store: Store = createMemoryStore()) {
  const repository = createRepository(store)
  for (const id of ['a', 'b']) await repository.createCheckout(someCheckout({ id, key: id, reference: id }))
  return { store, repository, bindTo: createBindTo({ repository, now, plannedNow: now, rules }) }
}

async function read(repository: Repository, id: string): Promise<CheckoutRecord> {
  const checkout = await repository.readCheckout(id)
  if (!checkout) throw new Error(`There is no checkout ${id}`)
  return checkout
}

const by = (evidence: Evidence, orderId: string) => ({ orderId, evidence, isCertain: true })

/**
 * Does the waiting calls one at a time in random order, as many processes of different speed would.
 */
function shuffled(store: Store, seed: number) {
  const random = seededRandom(seed)
  const waiting: (() => void)[] = []
  const inTurn = new Proxy(store, {
    get: (target, name: keyof Store) => {
      const call = target[name]
      return async (...args: readonly unknown[]) => {
        await new Promise<void>((resolve) => void waiting.push(resolve))
        return Reflect.apply(call, target, args)
      }
    },
  })
  const run = async (works: readonly Promise<unknown>[]) => {
    let isOver = false
    const all = Promise.all(works).finally(() => {
      isOver = true
    })
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      const at = Math.floor(random() * waiting.length)
      waiting.splice(at, 1)[0]?.()
    }
    await all
  }
  return { inTurn, run }
}

/** What processes do at the same time with two checkouts and two orders. */
type Work = (shop: {
  bind(id: string, orderId: string): Promise<unknown>
  unbind(id: string, orderId: string): Promise<unknown>
}) => Promise<unknown>[]

describe('processes that bind and release at the same time', () => {
  it.each<[string, Work]>([
    ['one order to two checkouts', ({ bind }) => [bind('a', 'x'), bind('b', 'x')]],
    [
      'two orders to two checkouts, each in another way',
      ({ bind }) => [bind('a', 'x').then(() => bind('b', 'y')), bind('b', 'x').then(() => bind('a', 'y'))],
    ],
    [
      'an order that is released meanwhile, and is bound again',
      ({ bind, unbind }) => [
        bind('a', 'x').then(() => unbind('a', 'x')),
        bind('b', 'x'),
        bind('a', 'y').then(() => bind('a', 'x')),
      ],
    ],
  ])('%s bind no order twice, and none that is not claimed', async (_, work) => {
    let bound = 0
    for (let seed = 1; seed <= 300; seed++) {
      const { store, repository } = await parts()
      const { inTurn, run } = shuffled(store, seed)
      const slow = createRepository(inTurn)
      const bindTo = createBindTo({ repository: slow, now, plannedNow: now, rules })
      const settings = { report: () => undefined } as never
      const { unbind } = createRelease({ repository: slow, settings, rules, now }, () => undefined)
      await run(
        work({
          bind: async (id, orderId) => bindTo(await read(slow, id), by('only_candidate', orderId)),
          unbind: (id, orderId) => unbind(id, orderId, 'it was wrong'),
        }),
      )
      const checkouts = await repository.readCheckouts(['a', 'b'])
      const orderIds = checkouts.flatMap(({ binding }) => binding?.orderId ?? [])
      bound += orderIds.length
      expect({ seed, orderIds }).toEqual({ seed, orderIds: [...new Set(orderIds)] })
      for (const { id, binding } of checkouts)
        if (binding) expect({ seed, owner: await repository.ownerOf(binding.orderId) }).toEqual({ seed, owner: id })
    }
    expect(bound).toBeGreaterThan(150)
  })
})
