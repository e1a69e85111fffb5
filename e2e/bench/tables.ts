/** Tables of what was measured, and the limits that the product commits to. */
import { gzipSync } from 'node:zlib'
import { kib, type Line, median, table, whole } from './report.ts'
import type { Idle, Load, Sizes, Weight } from './samples.ts'
import { adyen, barePreact, drawnPage, floor, inShop, scriptTag } from './targets.ts'

/** Samples, by the name of the measured target. */
export type Loads = ReadonlyMap<string, readonly Load[]>
/** Samples of idle panels, by the name of the measured target. */
export type Idles = ReadonlyMap<string, readonly Idle[]>

/** A row for each target: requests and sizes. */
export function weightTable(weights: ReadonlyMap<string, Weight>): string {
  const cell = ({ raw, gzip, brotli }: Sizes) => [raw, gzip, brotli].map(kib).join(' / ')
  return table(
    ['KiB raw / gzip / brotli', 'requests', 'scripts', 'styles', 'page, pictures, answers', 'all'],
    [...weights].map(([name, { requests, script, style, other, all }]) => [
      name,
      requests,
      ...[script, style, other, all].map(cell),
    ]),
  )
}

/** A row for each target: medians of its loads. */
export function loadTable(samples: Loads): string {
  const heads = [
    '',
    'ready ms',
    'works ms',
    'script ms',
    'layout ms',
    'task ms',
    'long tasks',
    'layout shift',
    'heap KiB',
    'nodes',
  ]
  return table(
    heads,
    [...samples.keys()].map((name) => [
      name,
      whole(of(samples, name, 'readyMs')),
      whole(of(samples, name, 'worksMs')),
      whole(of(samples, name, 'scriptMs')),
      whole(of(samples, name, 'layoutMs')),
      whole(of(samples, name, 'taskMs')),
      of(samples, name, 'longTasks'),
      of(samples, name, 'layoutShift').toFixed(3),
      whole(of(samples, name, 'heapBytes') / 1024),
      of(samples, name, 'nodes'),
    ]),
  )
}

/** A row for each target: medians of its idle samples. */
export function idleTable(samples: Idles): string {
  return table(
    ['', 'task ms', 'script ms', 'layouts', 'requests', 'heap growth KiB'],
    [...samples.keys()].map((name) => [
      name,
      whole(of(samples, name, 'taskMs')),
      whole(of(samples, name, 'scriptMs')),
      whole(of(samples, name, 'layouts')),
      of(samples, name, 'requests').toFixed(1),
      whole(of(samples, name, 'heapGrowthBytes') / 1024),
    ]),
  )
}

function of<Sample, Name extends keyof Sample>(
  samples: ReadonlyMap<string, readonly Sample[]>,
  target: string,
  name: Name,
): number {
  return median((samples.get(target) ?? []).map((sample) => Number(sample[name])))
}

/**
 * Returns all limits with their measured values.
 *
 * @param shopCode - The React entry, as a shop's bundler outputs it.
 * @param loads - As the machine is, with a slowed processor, and with a slow network, too.
 */
export function linesOf(
  shopCode: string,
  weights: ReadonlyMap<string, Weight>,
  loads: readonly Loads[],
  idles: Idles,
): Line[] {
  const weight = weights.get(scriptTag)
  const [plain = new Map()] = loads
  return [
    {
      name: 'React entry beside React and TanStack Query, gzip',
      measured: gzipSync(shopCode, { level: 9 }).length / 1024,
      most: 23.5,
      unit: 'KiB',
    },
    {
      name: 'script and styles, gzip',
      measured: ((weight?.script.gzip ?? Number.NaN) + (weight?.style.gzip ?? Number.NaN)) / 1024,
      most: 43,
      unit: 'KiB',
    },
    {
      name: 'heap, of the bare preact panel',
      measured: of(plain, scriptTag, 'heapBytes') / of(plain, barePreact, 'heapBytes'),
      most: 1.3,
      unit: 'times',
    },
    ...speedLines((name) => name, loads, idles),
    ...speedLines(inShop, loads, idles),
  ]
}

/** Returns the limits for one kind of page. @param named - Names a candidate on that kind. */
function speedLines(
  named: (name: string) => string,
  [plain = new Map(), slow = new Map(), slowest = new Map()]: readonly Loads[],
  idles: Idles,
): Line[] {
  const times = (samples: Loads, name: keyof Load, other: string, own = scriptTag) =>
    of(samples, named(own), name) / of(samples, named(other), name)
  const shifts = [plain, slow, slowest].flatMap((samples) =>
    [scriptTag, drawnPage].map((own) => of(samples, named(own), 'layoutShift')),
  )
  const ratios = [
    ['ready, 4x, of the floor', times(slow, 'readyMs', floor), 1.4],
    ['ready, 4x and slow 4G, of the floor', times(slowest, 'readyMs', floor), 1.4],
    ['ready, 4x, of Adyen', times(slow, 'readyMs', adyen), 0.65],
    ['ready, 4x and slow 4G, of Adyen', times(slowest, 'readyMs', adyen), 0.65],
    ['drawn, ready, 4x, of the floor', times(slow, 'readyMs', floor, drawnPage), 1],
    ['drawn, ready, 4x and slow 4G, of the floor', times(slowest, 'readyMs', floor, drawnPage), 1],
    ['drawn, ready, 4x, of Adyen', times(slow, 'readyMs', adyen, drawnPage), 0.5],
    ['drawn, ready, 4x and slow 4G, of Adyen', times(slowest, 'readyMs', adyen, drawnPage), 0.5],
    ['task, 4x, of the floor', times(slow, 'taskMs', floor), 1.5],
    [
      'task of an idle minute, of the floor',
      of(idles, named(scriptTag), 'taskMs') / of(idles, named(floor), 'taskMs'),
      1.3,
    ],
  ] as const
  return [
    ...ratios.map(([name, measured, most]) => ({ name: named(name), measured, most, unit: 'times' })),
    {
      name: named('long tasks, as the machine is'),
      measured: of(plain, named(scriptTag), 'longTasks'),
      most: 0,
      unit: '',
    },
    { name: named('layout shift, largest of the three tables'), measured: Math.max(...shifts), most: 0, unit: '' },
  ]
}
