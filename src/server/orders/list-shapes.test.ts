import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../service/errors.ts'
import type { OrderQuery } from '../../service/types.ts'
import { idsOf, listOf, readingsOf, type Shape } from './order-list.testing.ts'

const answering: Shape[] = []
for (const firstPage of [0, 1] as const)
  for (const direction of ['up', 'down'] as const)
    for (const tellsTotal of [true, false])
      for (const cap of [10, 1000]) answering.push({ firstPage, direction, tellsTotal, cap })
const others: Partial<Shape>[] = [
  { before: 'refused', after: 'refused' },
  { before: 'not_found', after: 'not_found' },
  { before: 'unavailable' },
  { before: 'no orders', after: 'last page' },
  { before: 'last page', after: 'last page' },
  { after: 'last page', tellsSize: 'as asked' },
  { maxSize: 50 },
  { maxSize: 10, before: 'refused', after: 'not_found', tellsSize: 'not' },
]
const shapes: Shape[] = [{}, ...others].flatMap((other) => answering.map((shape) => ({ ...shape, ...other })))

describe.each(shapes)(
  'the order list with $cap orders a page, sorted $direction, from page $firstPage, total given: $tellsTotal, size $tellsSize of $maxSize, before the first: $before, after the last: $after',
  (shape) => {
    it('finds exactly the newest orders', async () => {
      const read = readingsOf(listOf(57, shape))
      const times = shape.before === 'unavailable' ? 5 : 2
      for (let time = 1; time < times; time++) expect((await read(45)).ids).toEqual(idsOf(45, 57))
      expect(await read(45)).toMatchObject({ ids: idsOf(45, 57), isComplete: true })
    })

    it('finds nothing in an empty list, and the first order once there is one', async () => {
      const list = listOf(0, shape)
      const read = readingsOf(list)
      // Where page 0 fails, all orders may be on it.
      if (shape.firstPage === 1 && shape.before === 'unavailable') await expect(read()).rejects.toThrow('no page 0')
      else expect((await read()).ids).toEqual([])
      list.add(1)
      expect((await read()).ids).toEqual(['order-0'])
    })

    it('misses none of the orders that come from one reading to the next', async () => {
      for (const counts of [
        [1, 8, 1, 1, 30, 97, 2],
        [5, 99, 200],
      ]) {
        const list = listOf(0, shape)
        const read = readingsOf(list)
        let count = 0
        for (const more of counts) {
          list.add(more)
          count += more
          expect((await read()).ids).toEqual(idsOf(0, count))
        }
      }
    })
  },
)

const long = answering.filter(({ cap }) => cap === 10).map((shape) => ({ ...shape, cap: 20 }))

describe.each(long.flatMap((shape) => [shape, { ...shape, after: 'last page' } as const]))(
  'a list of thousands with $cap orders a page, sorted $direction, from page $firstPage, total given: $tellsTotal, after the last: $after',
  (shape) => {
    it.each([2_300, 50_000])(
      'is read with few requests where only the newest of %i orders are wanted',
      async (count) => {
        const list = listOf(count, shape)
        const read = readingsOf(list)
        const newest = { ids: idsOf(count - 12, count), isComplete: true }
        const first = await read(count - 12)
        expect(first).toMatchObject(newest)
        expect(first.pages).toBeLessThan(35)
        await read(count - 12)
        expect((await read(count - 12)).pages).toBeLessThan(8)
        list.add(300)
        const grown = await read(count + 288)
        expect(grown).toMatchObject({ ids: idsOf(count + 288, count + 300), isComplete: true })
        expect(grown.pages).toBeLessThan(20)
      },
    )
  },
)

/** What happens when a page is asked for: orders come before it is answered, or it fails. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 45 }) },
  { weight: 1, arbitrary: fc.constantFrom('rate_limited', 'unavailable') },
)

describe('a list that grows while it is read, and fails at times', () => {
  it('is never called complete without all orders that were there when the reading began', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...shapes.filter(({ before }) => before !== 'last page')),
      fc.nat(60),
      fc.array(happening, { minLength: 40, maxLength: 40 }),
      async (shape, atFirst, happenings) => {
        const list = listOf(atFirst, shape)
        let [count, at] = [atFirst, 0]
        const listOrders = (query: OrderQuery) => {
          const next = happenings[at++] ?? 0
          if (typeof next === 'string') throw new ServiceError(next, 'not now', { outcome: 'unknown' })
          // Indistinguishable: a whole page of new orders between the two possible first pages.
          const more = query.page < 2 ? Math.min(next, 9) : next
          list.add(more)
          count += more
          return list.listOrders(query)
        }
        const read = readingsOf({ listOrders: async (query) => listOrders(query) })
        // The next reading continues a failed one.
        let before: number | undefined
        for (let reading = 0; reading < 12; reading++) {
          before ??= count
          const { ids, isComplete } = await read().catch(() => ({ ids: [], isComplete: undefined }))
          const shown = new Set<string>(ids)
          if (isComplete) expect(idsOf(0, before).filter((id) => !shown.has(id))).toEqual([])
          if (isComplete !== undefined) before = undefined
        }
      },
    )
    await fc.assert(property, { numRuns: 100 })
  })
})
