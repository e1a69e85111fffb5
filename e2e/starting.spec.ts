/** The server of `npm start` as a process: its output, its needs and its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { en } from '../src/locales/en.ts'
import { core } from './test.ts'
import { widgetOn } from './widget.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Every test runs in an empty folder, where the shop keeps its data. */
let folder: string
let processes: ChildProcess[]
const closings = new WeakMap<ChildProcess, Promise<unknown>>()

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paywindow-'))
  processes = []
})

test.afterEach(async () => {
  await Promise.all(processes.map(end))
  rmSync(folder, { recursive: true })
})

test('opens the shop with the sandbox, and ends on a signal', core, async () => {
  const shop = start('src/demo/server.ts', [], { PORT: '0' })
  const url = await shop.printed(/http:\/\/localhost:(\d+)/)
  await shop.printed(/The sandbox plays the exchange service/)
  const page = await fetch(url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<pay-window endpoint="/paywindow" reference="order-1042"')
  expect(page.headers.get('content-security-policy')).toContain(`script-src 'self'`)
  expect(await end(shop.process)).toBe(0)
})

test('names what is missing when the service is named by halves', async () => {
  const shop = start('src/demo/server.ts', [], { PORT: '0', PAYWINDOW_ACCESS_TOKEN: 'secret-token' })
  expect(await ended(shop.process)).toBe(1)
  expect(shop.output()).toContain('PAYWINDOW_SERVICE_URL and PAYWINDOW_SUB_ACCOUNT_ID must be set')
  expect(shop.output()).not.toContain('secret-token')
})

test('does not open with the sandbox in production', async () => {
  const shop = start('src/demo/server.ts', [], { PORT: '0', NODE_ENV: 'production' })
  expect(await ended(shop.process)).toBe(1)
  expect(shop.output()).toContain('must be set in production')
})

test('says so when the port is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const shop = start('src/demo/server.ts', [], { PORT: String(port) })
  expect(await ended(shop.process)).toBe(1)
  expect(shop.output()).toContain(`Port ${port} is in use`)
  other.close()
})

test('runs against a service at an address, with no sandbox on the path', async ({ page }) => {
  const service = start('dist/cli.js', ['sandbox', '--port', '0'], {})
  await service.printed(/Ctrl\+C/)
  const account = Object.fromEntries(
    [...service.output().matchAll(/^export (PAYWINDOW_\w+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  const shop = start('src/demo/server.ts', [], { PORT: '0', ...account })
  const url = await shop.printed(/http:\/\/localhost:(\d+)/)
  expect(shop.output()).not.toContain('sandbox')
  expect((await fetch(`${url}/simulate/exact`, { method: 'POST' })).status).toBe(404)
  await page.goto(url)
  await expect(page.locator('.payer')).toHaveCount(0)
  const widget = widgetOn(page)
  // Ethereum has no test form of its own, so that this address passes where no test is declared.
  await widget.choose('Ether')
  const deposit = { address: await widget.read(en.address), amount: await widget.read(en.amount) }
  const paid = await fetch(`${account.PAYWINDOW_SERVICE_URL}/sandbox/deposits`, {
    method: 'POST',
    body: JSON.stringify(deposit),
  })
  expect(paid.status).toBe(200)
  await widget.shows(en.seenTitle)

  expect(await end(shop.process)).toBe(0)
  const again = start('src/demo/server.ts', [], { PORT: '0', ...account })
  await page.goto(await again.printed(/http:\/\/localhost:(\d+)/))
  await widget.shows(en.seenTitle)
})

interface Started {
  readonly process: ChildProcess
  /** Everything it wrote so far. */
  output(): string
  /** Waits until it writes something that fits, and resolves with that. */
  printed(pattern: RegExp): Promise<string>
}

function start(file: string, args: readonly string[], env: Record<string, string>): Started {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PAYWINDOW_.*|PORT|NODE_ENV)$/.test(name))
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...env },
  })
  processes.push(child)
  closings.set(child, once(child, 'close'))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return {
    process: child,
    output: () => text,
    printed: async (pattern) => {
      await expect.poll(() => text).toMatch(pattern)
      return text.match(pattern)?.[0] ?? ''
    },
  }
}

/** Waits until it has ended and everything that it wrote has come. */
async function ended(child: ChildProcess): Promise<number | null> {
  await closings.get(child)
  return child.exitCode
}

function end(child: ChildProcess): Promise<number | null> {
  child.kill()
  return ended(child)
}
