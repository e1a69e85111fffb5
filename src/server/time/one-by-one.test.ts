import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { systemClock } from '../../service/clock.ts'
import { createOneByOne } from './one-by-one.ts'

it('lets other work come between callers that wait at the same time', async () => {
  const oneByOne = createOneByOne(systemClock)
  const done: string[] = []
  const callers = ['a', 'b', 'c'].map(async (name) => {
    await oneByOne()
    done.push(name)
  })
  const others = (async () => {
    while (done.length < 5) {
      await nextTurn()
      if (done.at(-1) !== 'other') done.push('other')
    }
  })()
  await Promise.all([...callers, others])
  expect(done.join(' ').replace(/^other /, '')).toMatch(/^a other b other c/)
})
