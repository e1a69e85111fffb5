/** `paywindow serve` on databases, with each driver, which it finds in the folder where it runs. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listen } from '../../src/cli/listen.ts'
import { run } from '../../src/cli/program.ts'
import { startIn } from '../../src/cli/world.testing.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { askForPayment, secrets, wholeFile } from '../../src/serve/config.testing.ts'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { describePostgres } from './postgres-server.ts'
import { describeRedis, startRedis } from './redis-server.ts'

/** Makes the same payment before and after a restart of the server, which keeps it in the database. */
async function serveTwice(driver: string, store: string): Promise<void> {
  const sandbox = createSandbox({ accessToken: secrets.PAYWINDOW_BOOKS_ACCESS_TOKEN, subAccountIds: ['sub-1'] })
  const service = await listen(sandbox.fetch, 0)
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-serve-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(import.meta.dirname, 'node_modules', driver), join(folder, 'node_modules', driver), 'junction')
  const { books } = wholeFile.shops
  const own = { ...books, test: true, service: { ...books.service, baseUrl: `http://127.0.0.1:${service.port}` } }
  const { store: _, ...file } = wholeFile
  writeFileSync(join(folder, 'paywindow.json'), JSON.stringify({ ...file, port: 0, shops: { books: own } }))
  const urls: string[] = []
  for (let starts = 0; starts < 2; starts += 1) {
    const served = startIn((world) => run(['serve'], { ...world, env: { ...secrets, PAYWINDOW_STORE: store }, folder }))
    const [, port] = await served.said(/Paywindow serves port (\d+)/)
    const made = await askForPayment(port)
    const { url } = (await made.json()) as { readonly url: string }
    urls.push(url)
    expect([await served.end(), made.status]).toEqual([0, 201])
  }
  expect(new Set(urls).size).toBe(1)
  await service.close()
  rmSync(folder, { recursive: true })
}

describePostgres('serve', (postgres) => {
  it.each(['pg', 'postgres'])('keeps what it has made, with %s', (driver) => serveTwice(driver, postgres().url))
})

describeRedis('serve', (program) => {
  it.each(['redis', 'ioredis'])('keeps what it has made, with %s', async (driver) => {
    const port = await freePort()
    const redis = await startRedis(program, '--port', `${port}`)
    await serveTwice(driver, `redis://127.0.0.1:${port}`)
    await redis.stop()
  })
})
