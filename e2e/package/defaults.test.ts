/** Every default of the server's side that documents name is the one that the code has. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { rowsIn } from '../../docs/.vitepress/site/reference.ts'
import { root } from '../../scripts/paths.ts'
import { fieldsOf } from '../../scripts/public-names.ts'
import { PaywindowError } from '../../src/contract/errors.ts'
import { systemSleep } from '../../src/sandbox/clock.ts'
import { defaultSubAccountId, withDefaults } from '../../src/sandbox/options.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { defaultRepeatAfterMs } from '../../src/sandbox/webhooks.ts'
import { policy } from '../../src/server/core/policy.ts'
import { createClientLimit, ownAddress } from '../../src/server/http/clients.ts'
import { publicFetch } from '../../src/server/icons/public-fetch.ts'
import { createPaywindow } from '../../src/server/node.ts'
import { withNodeDefaults } from '../../src/server/node-options.ts'
import { checkOptions } from '../../src/server/options.ts'
import { createMemoryStore } from '../../src/server/store/memory.ts'
import { systemClock } from '../../src/service/clock.ts'
import { checkOptions as checkServiceOptions } from '../../src/service/options.ts'
import { checkTokenOptions } from '../../src/service/token-settings.ts'
import { type Documented, inDocstrings, inOptions, inTheirWords, isNothing, type Meanings } from './defaults.testing.ts'

const service = createSandbox().access
const needed = { service, offer: () => null, store: createMemoryStore() }
const otherClock = { ...systemClock, now: () => 42 }
const folder = mkdtempSync(join(tmpdir(), 'paywindow-defaults-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What the words of the documents mean, where they are no values. */
const meanings: Meanings = {
  none: isNothing,
  'left out': (value) => value === undefined,
  'not sent': isNothing,
  'none, and `webhook` answers 404': isNothing,
  'nothing does': isNothing,
  'nothing goes wrong': isNothing,
  nobody: isNothing,
  'nobody gets any': isNothing,
  'nobody is told': isNothing,
  'only by hand': isNothing,
  'it stays open': isNothing,
  'they keep working': isNothing,
  "the request's": isNothing,
  "the request's host": isNothing,
  "the platform's": (value) => value === undefined || value === systemClock,
  "the machine's own": (value) => value === systemClock,
  "the service's clock option, else the machine's own": (value) =>
    value === systemClock &&
    checkOptions({ ...needed, service: { ...service, clock: otherClock } }).clock === otherClock,
  'the global `fetch`': callsGlobalFetch,
  'a line on the error output': printsALine,
  'a line on the error output, unless there is a `logger`': printsALine,
  'SQLite at `storePath`': isSqlite,
  'SQLite file (Node)': isSqlite,
  "the socket's address with `toNodeListener` and `listen`, else all clients are one": (value) => value === ownAddress,
  "the socket's address with `toNodeListener` and `listen`; else none, and all clients share one limit": (value) =>
    value === ownAddress,
  'under Node from public addresses only, else the global `fetch`': (value) => value === publicFetch,
  'Node: public addresses only; elsewhere the global `fetch`': (value) => value === publicFetch,
  'real time': (value) => value === systemSleep,
  'the time of `clock`': (value) => value === Date.now && withDefaults({ clock: otherClock }).now() === 42,
  'one, `defaultSubAccountId`': (value) => JSON.stringify(value) === JSON.stringify([defaultSubAccountId]),
  "the sandbox's own": (value) => value === 'its own',
  "the sandbox's own of each asset": (value) => JSON.stringify(value) === '{}',
}

function callsGlobalFetch(value: unknown): boolean {
  const global = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response())
  if (typeof value === 'function') value('https://service.example')
  const isCalled = global.mock.calls.length === 1
  global.mockRestore()
  return isCalled
}

function printsALine(report: unknown): boolean {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  if (typeof report === 'function') report(new PaywindowError('unreachable', 'away'), {})
  const isPrinted = print.mock.calls.length === 1
  print.mockRestore()
  return isPrinted
}

function isSqlite(file: unknown): boolean {
  return String(file).startsWith('SQLite format 3')
}

/** What is in the file that a server under Node makes where no store is named. */
async function fileOfServer(): Promise<string> {
  const storePath = join(folder, 'its-own.sqlite')
  await createPaywindow({ service, offer: () => null, storePath }).close()
  return readFileSync(storePath, 'latin1')
}

async function isRequired(name: 'service' | 'offer'): Promise<boolean> {
  const { [name]: _, ...others } = { ...needed, storePath: ':memory:' }
  try {
    await createPaywindow(others as never).close()
    return false
  } catch {
    return true
  }
}

/** The window in which a client's creations are counted, as a refused client is told. */
function clientWindowMs(): unknown {
  const limit = createClientLimit(1, () => 0)
  limit.note('a client')
  try {
    return limit.check('a client')
  } catch (error) {
    return error instanceof PaywindowError ? error.retryAfterMs : error
  }
}

/** As the documents write it. */
function duration(ms: unknown): string {
  if (typeof ms !== 'number') return String(ms)
  if (ms === 3_600_000) return 'an hour'
  return ms % 60_000 === 0 ? `${ms / 60_000} minutes` : `${ms / 1_000} seconds`
}

/** Equal where the documents are right. */
function expectSame(documented: Documented, code: Readonly<Record<string, unknown>>): void {
  expect(Object.keys(documented).length).toBeGreaterThan(0)
  expect(inTheirWords(documented, code, meanings)).toEqual(documented)
}

describe('createPaywindow', () => {
  const settings = checkOptions(needed)
  const ofNode = withNodeDefaults(needed)
  const code = {
    ...settings,
    phases: Object.entries(settings.phaseOf)
      .map(([status, phase]) => `\`${status}\` ${phase}`)
      .join(', '),
    onError: settings.report,
    clientKey: ofNode.clientKey,
    iconFetch: ofNode.iconFetch,
    storePath: ofNode.storePath,
  }
  const clientWindow = duration(clientWindowMs())

  it('has the defaults of its docstrings', async () => {
    expectSame(inDocstrings('server', 'PaywindowOptions'), code)
    expectSame(inDocstrings('server-node', 'NodePaywindowOptions'), { ...code, store: await fileOfServer() })
  })

  it('leaves to Node what only Node has', () => {
    expect([settings.clientKey, settings.iconFetch]).toEqual([undefined, undefined])
  })

  it('has the defaults of docs/options.md', async () => {
    expectSame(inOptions('`createPaywindow'), {
      ...code,
      service: (await isRequired('service')) ? 'required' : service,
      offer: (await isRequired('offer')) ? 'required' : needed.offer,
      store: await fileOfServer(),
      creationsPerClient: `${settings.creationsPerClient} in ${clientWindow}`,
      creationsPerCart: `${settings.creationsPerCart} in ${duration(policy.creation.cartCountedForMs)}`,
    })
  })

  it('counts for as long as its documents say', () => {
    const descriptions = Object.fromEntries(
      fieldsOf('server', 'PaywindowOptions').map(({ name, description }) => [name, description]),
    )
    expect(descriptions.creationsPerClient).toContain(`in ${clientWindow}`)
    expect(descriptions.creationsPerCart).toContain(`in ${duration(policy.creation.cartCountedForMs)}`)
    const production = readFileSync(join(root, 'docs', 'production.md'), 'utf8')
    expect(production).toContain(`with ${settings.creationsPerClient} checkouts in ${clientWindow}`)
  })

  it('has the defaults that other pages name in brackets', () => {
    const pages = globSync('docs/*.md', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
    const named = pages.flatMap((page) => [...page.matchAll(/`(\w+)` \((\d[\d,]*)( seconds)?\)/g)])
    const numbers: Readonly<Record<string, unknown>> = { ...settings }
    const ours = named.filter(([, name = '']) => name in numbers)
    expect(ours.length).toBeGreaterThan(2)
    for (const [all, name = '', number = '', seconds] of ours)
      expect(Number(number.replaceAll(',', '')) * (seconds ? 1_000 : 1), all).toBe(numbers[name])
  })

  it('has the path and the settings of the service that docs/options.md names beside others', () => {
    const rows = rowsIn('docs/options.md', '## `createPaywindow')
    const about = (name: string) => rows.find(([cell]) => cell === `\`${name}\``)?.[2] ?? ''
    expect(about('store')).toContain(`\`storePath\` (Node) is \`${ofNode.storePath}\``)
    const [, listed = ''] = /^`\{ (.*?) \}`/.exec(about('service')) ?? []
    const ofService = listed.split(', ').map((each) => each.split(' = '))
    const { timeoutMs, maxAnswerBytes } = checkServiceOptions(service)
    expect(Object.fromEntries(ofService.filter(([, value]) => value !== undefined))).toEqual({
      timeoutMs: `${timeoutMs}`,
      maxAnswerBytes: `${maxAnswerBytes}`,
    })
    const names = fieldsOf('service', 'ServiceOptions').map(({ name }) => name)
    expect([...ofService.map(([name]) => name), 'retries'].sort()).toEqual(names.sort())
  })
})

describe('the service', () => {
  const { fetch: _, ...withoutFetch } = service

  it('has the defaults of its docstrings', () => {
    expectSame(inDocstrings('service', 'ServiceOptions'), { ...checkServiceOptions(withoutFetch) })
  })

  it('has those of clientCredentials', () => {
    const credentials = { tokenUrl: 'https://service.example/token', clientId: 'shop', clientSecret: 'secret' }
    expectSame(inDocstrings('service', 'ClientCredentialsOptions'), { ...checkTokenOptions(credentials) })
  })
})

describe('createSandbox', () => {
  const settings = withDefaults({})
  const sandbox = createSandbox()

  it('has the defaults of its docstrings', () => {
    expectSame(inDocstrings('sandbox', 'SandboxOptions'), {
      ...settings,
      timestamps: (['microseconds', 'nanoseconds'] as const).find(
        (timestamps) => withDefaults({ timestamps }).finerDigits === settings.finerDigits,
      ),
      appearAfterMs: settings.appearAfterMs(),
      clock: settings.sleep,
      rates: settings.ratesAt(0)({ symbol: 'BTC', rate: 'its own' } as never),
      faults: sandbox.faults,
      webhooks: sandbox.webhooks.receivers(),
    })
  })

  it('has those of its webhooks', async () => {
    const global = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response())
    const telling = createSandbox({ webhooks: { receivers: [{ url: 'https://shop.example/hooks/' }] } })
    telling.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', targetAmount: '49.90' })
    await telling.webhooks.settled()
    const sendsBy = global.mock.calls.length === 1 ? 'the global one' : 'another'
    global.mockRestore()
    expectSame(inDocstrings('sandbox', 'WebhookOptions'), {
      receivers: sandbox.webhooks.receivers(),
      fetch: sendsBy,
      faults: sandbox.webhooks.faults,
      repeatAfterMs: defaultRepeatAfterMs.map(duration).join(', '),
    })
  })
})
