import { expect, it } from 'vitest'
import { createSandbox } from '../sandbox/index.ts'
import { createPaywindow } from './paywindow.ts'
import { createMemoryStore } from './store/memory.ts'

/** Workers are started by a request, and pay for the processor time of each start. */
it('takes no memory for what it will remember, until there is something', () => {
  const options = { service: createSandbox().access, store: createMemoryStore(), test: true, offer: () => null }
  // What is made once for all servers is made with the first.
  createPaywindow(options)
  const before = process.memoryUsage().arrayBuffers
  createPaywindow(options)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000)
})
