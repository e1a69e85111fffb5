/** `paywindow serve` on databases, with each driver, which it finds in the folder where it runs. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listen } from '../../src/cli/listen.ts'
import { run } from '../../src/cli/program.ts'
import { makeFolder, startIn } from '../../src/cli/world.testing.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { askForPayment, secrets, wholeFile } from '../../src/serve/config.testing.ts'
import { hashPassword } from '../../src/serve/desk/password.ts'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { describePostgres } from './postgres-server.ts'
import { describeRedis, startRedis } from './redis-server.ts'

const password = 'of-both-desks'

/**
 * Makes the same payment before and after a restart of the server, which keeps it in the database,
 * and each shop's session.
 */
async function serveTwice(driver: string, store: string): Promise<void> {
  const sandbox = createSandbox({
    accessToken: secrets.PAYWINDOW_BOOKS_ACCESS_TOKEN,
    subAccountIds: ['sub-1', 'sub-2'],
  })
  const service = await listen(sandbox.fetch, 0)
  const folder = makeFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(import.meta.dirname, 'node_modules', driver), join(folder, 'node_modules', driver), 'junction')
  const { books } = wholeFile.shops
  const shopAt = (subAccountId: string) => ({
    ...books,
    test: true,
    events: undefined,
    service: { ...books.service, subAccountId, baseUrl: `http://127.0.0.1:${service.port}` },
  })
  const shops = { books: shopAt('sub-1'), 'tea-house': shopAt('sub-2') }
  const { store: _, metricsPort, ...file } = wholeFile
  writeFileSync(join(folder, 'paywindow.json'), JSON.stringify({ ...file, port: 0, shops }))
  const hash = await hashPassword(password)
  const hashes = { PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH: hash, PAYWINDOW_TEA_HOUSE_ADMIN_PASSWORD_HASH: hash }
  const urls: string[] = []
  let session = ''
  for (let starts = 0; starts < 2; starts += 1) {
    const env = { ...secrets, ...hashes, PAYWINDOW_STORE: store }
    const served = startIn((world) => run(['serve'], { ...world, env, folder }))
    const [, port] = await served.said(/Paywindow serves port (\d+)/)
    const made = await askForPayment(port)
    const { url } = (await made.json()) as { readonly url: string }
    urls.push(url)
    session ||= await signIn(port)
    expect(await titlesWith(port, session)).toEqual(['Payments', 'Sign in'])
    expect([await served.end(), made.status]).toEqual([0, 201])
  }
  expect(new Set(urls).size).toBe(1)
  await service.close()
}

/** Resolves with what the cookie of a session says. */
async function signIn(port: string | undefined): Promise<string> {
  const { headers } = await fetch(`http://127.0.0.1:${port}/books/admin`, {
    method: 'POST',
    body: new URLSearchParams({ act: 'sign-in', password }),
    headers: { origin: wholeFile.publicUrl },
    redirect: 'manual',
  })
  return /=([^;]+)/.exec(headers.getSetCookie()[0] ?? '')?.[1] ?? ''
}

/** What the desks of both shops show to who has the cookie of a session. */
function titlesWith(port: string | undefined, session: string): Promise<readonly unknown[]> {
  return Promise.all(
    ['books', 'tea-house'].map(async (name) => {
      const cookie = `__Host-paywindow-${name}-desk=${session}`
      const page = await fetch(`http://127.0.0.1:${port}/${name}/admin`, { headers: { cookie } })
      return /<h1>([^<]+)/.exec(await page.text())?.[1]
    }),
  )
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
