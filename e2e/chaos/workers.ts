/** Spreads segments over threads. */
import { Worker } from 'node:worker_threads'
import type { Report } from './findings.ts'
import type { SegmentPlan } from './plan.ts'
import type { Ran } from './worker.ts'

/**
 * Runs all segments.
 *
 * @param onReport - Told of each segment when it is done.
 * @returns The reports in the order of the plans, however they finished.
 */
export async function runSegments(
  plans: readonly SegmentPlan[],
  threads: number,
  onReport: (plan: SegmentPlan, report: Report) => void,
): Promise<readonly Report[]> {
  const reports: Report[] = []
  const left = plans.entries()
  const work = async (worker: Worker) => {
    for (const [at, plan] of left) {
      const { report } = await ask(worker, plan)
      reports[at] = report
      onReport(plan, report)
    }
  }
  const workers = Array.from(
    { length: Math.max(1, Math.min(threads, plans.length)) },
    () => new Worker(new URL('./worker.ts', import.meta.url)),
  )
  try {
    await Promise.all(workers.map(work))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return reports
}

function ask(worker: Worker, plan: SegmentPlan): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const onMessage = (ran: Ran) => {
      worker.off('error', reject)
      resolve(ran)
    }
    worker.once('message', onMessage)
    worker.once('error', reject)
    worker.postMessage(plan)
  })
}
