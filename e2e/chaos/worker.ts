/** One of several threads that run the segments of a simulation: segments share nothing, so their order changes nothing. */
import { parentPort } from 'node:worker_threads'
import type { Report } from './findings.ts'
import type { SegmentPlan } from './plan.ts'
import { runSegment } from './segment.ts'

/** What a thread answers to a plan. */
export interface Ran {
  readonly number: number
  readonly report: Report
}

parentPort?.on('message', async (plan: SegmentPlan) => {
  const ran: Ran = { number: plan.number, report: await runSegment(plan) }
  parentPort?.postMessage(ran)
})
