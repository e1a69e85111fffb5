import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { systemClock } from '../../service/clock.ts'
import { createFewAtATime } from './work.ts'

it('lets other work come between callers that wait at the same time', async () => {
  const fewAtATime = createFewAtATime(systemClock, 2)
  const done: string[] = []
  const callers = ['a', 'b', 'c', 'd', 'e'].map(async (name) => {
    await fewAtATime()
    done.push(name)
  })
  const others = (async () => {
    while (done.length < 7) {
      await nextTurn()
      if (done.at(-1) !== 'other') done.push('other')
    }
  })()
  await Promise.all([...callers, others])
  expect(done.join(' ').replace(/^other /, '')).toMatch(/^a b other c d other e/)
})
