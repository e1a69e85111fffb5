/** Distributes segments over threads. */
import { Worker } from 'node:worker_threads'
import type { StorePlace } from '../stores/open-store.ts'
import type { VariantName } from './broken/broken.ts'
import { asBuilt, buildPage } from './built-page.ts'
import type { Report } from './world/findings.ts'
import type { SegmentPlan } from './world/plan.ts'

/** A segment, the mistake to make in it (if any), and where its store is (if not in memory). */
export interface Job {
  readonly plan: SegmentPlan
  readonly variant?: VariantName
  readonly place?: StorePlace | undefined
}

/**
 * Runs all segments.
 *
 * @param onReport - Called for each segment as soon as it is done.
 * @returns The reports, in the order of the jobs.
 */
export async function runSegments(
  jobs: readonly Job[],
  threads: number,
  onReport: (plan: SegmentPlan, report: Report) => void,
): Promise<readonly Report[]> {
  await buildPage()
  const reports: Report[] = []
  const left = jobs.entries()
  const work = async (worker: Worker) => {
    for (const [at, job] of left) {
      const report = await ask(worker, job)
      reports[at] = report
      onReport(job.plan, report)
    }
  }
  const workers = Array.from(
    { length: Math.max(1, Math.min(threads, jobs.length)) },
    () => new Worker(new URL('./worker.ts', import.meta.url), { execArgv: [...process.execArgv, asBuilt] }),
  )
  try {
    await Promise.all(workers.map(work))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return reports
}

function ask(worker: Worker, job: Job): Promise<Report> {
  return new Promise((resolve, reject) => {
    const onMessage = (report: Report) => {
      worker.off('error', reject)
      resolve(report)
    }
    worker.once('message', onMessage)
    worker.once('error', reject)
    worker.postMessage(job)
  })
}
