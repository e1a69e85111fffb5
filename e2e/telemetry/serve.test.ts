/**
 * Metrics of `paywindow serve`: those of each shop, by the packages that are installed beside it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { makeFolder, startIn } from '../../src/cli/world.testing.ts'
import { secrets, wholeFile } from '../../src/serve/config.testing.ts'
import { samplesOf } from './scrape.ts'

it('each shop has its own metrics', async () => {
  const config = join(makeFolder(), 'paywindow.json')
  const shop = wholeFile.shops['tea-house']
  const shops = { 'tea-house': shop, 'coffee-house': shop }
  writeFileSync(config, JSON.stringify({ ...wholeFile, port: 0, metricsPort: 0, shops }))
  const env = { ...secrets, PAYWINDOW_COFFEE_HOUSE_LINK_SECRET: 'link-secret-of-coffee-0123456789abcdef' }
  const line = ['serve', '--config', config, '--sandbox-port', '0']
  const served = startIn((world) => run(line, { ...world, env, folder: import.meta.dirname }))
  const [, metricsPort] = await served.said(/Port (\d+) has metrics/)
  const valuesOf = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/${name}/metrics`)).text()
    return Object.fromEntries(samplesOf(text).map(({ name, value }) => [name, value]))
  }
  expect(await valuesOf('tea-house')).toMatchObject({ paywindow_store_ready: 1, paywindow_watched: 1 })
  expect(await valuesOf('coffee-house')).toMatchObject({ paywindow_store_ready: 1 })
  const elsewhere = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  expect([elsewhere.status, await elsewhere.text()]).toEqual([
    404,
    'There is /tea-house/metrics, /coffee-house/metrics\n',
  ])
})
