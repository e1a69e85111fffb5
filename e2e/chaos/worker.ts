/** A thread that runs segments. Segments share nothing, so their order does not matter. */
import { parentPort } from 'node:worker_threads'
import { variantOf } from './broken/broken.ts'
import { runSegment } from './segment.ts'
import type { Job } from './workers.ts'
import { unbroken } from './world/breakage.ts'

parentPort?.on('message', async ({ plan, variant, place }: Job) => {
  const breakage = variant === undefined ? unbroken : variantOf(variant).make()
  parentPort?.postMessage(await runSegment(plan, { breakage, place }))
})
