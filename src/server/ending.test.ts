/** Ends a real process as docs/operations.md says, with the lines of that page. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from './store/sqlite.ts'

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [, recipe = ''] = /```ts\n([^`]*SIGTERM[^`]*)```/.exec(page) ?? []
const sources = fileURLToPath(new URL('..', import.meta.url))

/** A shop whose `offer` waits for a word of the test. */
const program = (storePath: string, ending: string) => `
import { createPaywindow, listen } from ${JSON.stringify(join(sources, 'server', 'node.ts'))}
import { createSandbox } from ${JSON.stringify(join(sources, 'sandbox', 'index.ts'))}
const paywindow = createPaywindow({
  service: createSandbox().access,
  storePath: ${JSON.stringify(storePath)},
  test: true,
  offer: async () => {
    process.send('asked')
    await new Promise((go) => process.once('message', go))
    return {
      price: { asset: 'USD', amount: '49.90' },
      methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
      merchant: { name: 'Lantern Books' },
    }
  },
  onStatusChange: () => undefined,
})
paywindow.watch()
const listening = await listen(paywindow, { port: 0, host: '127.0.0.1' })
${ending}
process.send(listening.port)
`

interface Running {
  readonly child: ChildProcess
  readonly storePath: string
  readonly url: string
  readonly ended: Promise<number | null>
  /** What it wrote to its error output. */
  readonly errors: () => string
}

async function start(ending: string): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-ending-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const storePath = join(folder, 'paywindow.sqlite')
  const file = join(folder, 'shop.ts')
  writeFileSync(file, program(storePath, ending))
  // The oldest Node that we support strips types only when asked to.
  const child = fork(file, { execArgv: ['--experimental-strip-types'], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stderr?.on('data', (data) => {
    text += data
  })
  const ended = once(child, 'exit').then(([code]) => code)
  const listening = once(child, 'message').then(([port]) => port)
  const endedBefore = ended.then(() => {
    throw new Error(`It ended before it listened: ${text}`)
  })
  // Later it may end.
  endedBefore.catch(() => undefined)
  const port = await Promise.race([listening, endedBefore])
  return { child, storePath, url: `http://127.0.0.1:${port}/paywindow/checkouts`, ended, errors: () => text }
}

const open = (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference: 'cart-42' }),
  })

describe.skipIf(process.platform === 'win32')('a process that gets SIGTERM', () => {
  it('answers the requests under way, takes no more, leaves nothing undone, and ends', async () => {
    const { child, storePath, url, ended, errors } = await start(recipe)
    const asked = once(child, 'message')
    const opened = open(url)
    expect(await asked).toContain('asked')
    child.kill('SIGTERM')
    await expect
      .poll(() =>
        fetch(url).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused')
    child.send('go')
    const answer = await opened
    expect(answer.status).toBe(200)
    expect(await ended).toBe(0)
    expect(errors()).not.toContain('Left for')
    const store = createSqliteStore(storePath)
    onTestFinished(() => store.close())
    // Another process can watch at once, and finds the checkout.
    expect(await store.lease('watch', 'another', 1_000)).toBe(true)
    const { id } = await answer.json()
    expect(await store.read(`checkout ${id}`)).toBeDefined()
  }, 30_000)

  it('ends within its time although a request is not answered', async () => {
    const { child, url, ended } = await start(recipe.replace('25_000', '500'))
    const asked = once(child, 'message')
    const opened = open(url).then(
      () => 'answered',
      () => 'broken off',
    )
    await asked
    child.kill('SIGTERM')
    expect(await ended).toBe(1)
    expect(await opened).toBe('broken off')
  }, 30_000)
})
