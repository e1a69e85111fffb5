/** `paywindow serve`: the merchant server as a program, for shops that do not run TypeScript. */
import { readFileSync } from 'node:fs'
import { parse, resolve } from 'node:path'
import { ParseError } from '../contract/parse.ts'
import { sandboxArrival } from '../sandbox/arrival.ts'
import { createSandbox, type SandboxAccess } from '../sandbox/sandbox.ts'
import { readConfig, type ServeConfig, type ShopConfig, variableOf } from '../serve/config.ts'
import { checkShop, createServer, openShop } from '../serve/server.ts'
import { listen as listenOn } from '../server/http/listen.ts'
import { createMemoryStore } from '../server/store/memory.ts'
import { createPostgresStore } from '../server/store/postgres.ts'
import { createRedisStore } from '../server/store/redis.ts'
import { createSqliteStore } from '../server/store/sqlite.ts'
import type { Store } from '../server/store/store.ts'
import { connectPostgres, connectRedis } from './database-connection.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { listen } from './listen.ts'
import { openMetrics } from './metrics.ts'
import { untilStopped, type World } from './world.ts'

/** Options of `paywindow serve`. */
export interface ServeOptions {
  readonly config: string
  /** Whether to say what would be served, and serve nothing. */
  readonly check?: boolean
  readonly sandboxPort: number
}

/**
 * The connections of a server to its Postgres, for all shops. After a failover an old one may never
 * answer: it has to leave the pool before the store gives up.
 */
const postgresPool = { max: 10, keepAlive: true, query_timeout: 10_000 }

/** Serves until the process is asked to end. @throws CommandFailure with what is wrong. */
export async function serve({ config: file, check, sandboxPort }: ServeOptions, world: World): Promise<void> {
  const config = await readFileOf(file, world)
  if (check) return world.stdout(`${file} is right. It would serve:\n\n${describe(config)}`)
  const log = (line: string) => world.stderr(`paywindow: ${line}\n`)
  const ends: (() => Promise<unknown>)[] = []
  try {
    const sandbox = await startSandbox(config, sandboxPort)
    ends.push(sandbox.end)
    const place = await openPlace(config, world)
    ends.push(place.end)
    const metrics = await startMetrics(config, world)
    if (metrics) ends.push(metrics.end)
    const shops = config.shops.map((shop) => {
      const { name, service } = shop
      const opened = openShop(shop, config, {
        log,
        telemetry: metrics?.telemetryOf(name),
        // The sandbox forgets its orders, too.
        store: service === 'sandbox' ? createMemoryStore() : place.storeOf(name),
        service: service === 'sandbox' ? sandbox.accessOf(name) : { ...service, fetch: world.fetch },
        ...(service === 'sandbox' && { readArrival: sandboxArrival }),
      })
      ends.push(async () => {
        for (const what of await opened.paywindow.close()) log(`${name}: left for the next start: ${what}`)
      })
      return opened
    })
    const { port, host } = config
    const server = createServer(shops, new URL('.', import.meta.resolve('paywindow/paywindow.js')).href)
    const listening = await listenOn(server, { port, ...(host !== undefined && { host }) }).catch((error: unknown) => {
      throw unusable(port, error)
    })
    ends.push(listening.close)
    for (const { paywindow } of shops) paywindow.watch()
    const measured = metrics ? ` Port ${metrics.port} has metrics.` : ''
    world.stdout(
      `Paywindow serves port ${listening.port}.${measured} Ctrl+C ends it.\n\n${describe(config)}${sandbox.greeting}`,
    )
    await untilStopped(world)
    world.stdout('Ends when all requests are answered. A second signal ends it at once.\n')
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function readFileOf(file: string, { folder, env }: World): Promise<ServeConfig> {
  try {
    const config = readConfig(readFileSync(resolve(folder, file), 'utf8'), env)
    for (const shop of config.shops) await checkShop(shop)
    return config
  } catch (error) {
    if (error instanceof ParseError) throw new CommandFailure(exitCodes.usage, `${file}: ${error.message}.`)
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === undefined) throw error
    throw new CommandFailure(exitCodes.usage, `${file} cannot be read (${code}): name the file with --config.`)
  }
}

/** What is served, without a secret. */
function describe({ publicUrl, trustedProxies, store, shops }: ServeConfig): string {
  const warnings = [
    publicUrl.startsWith('https:') &&
      trustedProxies === 0 &&
      'trustedProxies is 0: if a proxy is in front, all share one limit of new payments, and one of tries to sign in.',
    publicUrl.startsWith('http:') &&
      shops.some(({ test }) => !test) &&
      'publicUrl is not https: whoever is between can read passwords, and change the addresses that payers see.',
  ].filter((warning) => warning !== false)
  return `${[...warnings, ...shops.map((shop) => describeShop(shop, publicUrl, store))].join('\n\n')}\n`
}

function describeShop(shop: ShopConfig, publicUrl: string, store: string): string {
  const { name, service, test, events, apiSecrets, linkSecrets, eventsSecrets, webhookSecret, adminPasswordHash } = shop
  const base = `${publicUrl}/${name}`
  const off = (what: string) => `off, because ${variableOf(name, what)} is not set`
  const counted = (secrets: readonly string[]) => (secrets.length === 1 ? '' : `, ${secrets.length} secrets`)
  const rows = [
    ['service', service === 'sandbox' ? 'the sandbox' : `${service.baseUrl}, sub-account ${service.subAccountId}`],
    ['money', test ? 'TEST: no real money, and payers are told so' : 'real'],
    ['page', `${base}/pay?link=…${counted(linkSecrets)}`],
    ['API', apiSecrets.length > 0 ? `${base}/v1/payments${counted(apiSecrets)}` : off('API_SECRET')],
    ['events', events ? `${new URL(events.url).origin}${counted(eventsSecrets)}` : 'off: ask the API'],
    ['webhook', webhookSecret === undefined ? off('WEBHOOK_SECRET') : `${base}/webhook`],
    ['desk', adminPasswordHash === undefined ? off('ADMIN_PASSWORD_HASH') : `${base}/admin`],
    ['store', service === 'sandbox' ? 'memory, as the sandbox' : placeOf(store, name)],
  ]
  return [name, ...rows.map(([what = '', value]) => `  ${what.padEnd(9)}${value}`)].join('\n')
}

const isPostgres = (store: string) => /^postgres(ql)?:/.test(store)
const isRedis = (store: string) => /^rediss?:/.test(store)

/** Each shop has records of its own. */
function placeOf(store: string, name: string): string {
  if (isPostgres(store)) return `Postgres, schema paywindow_${name}`
  if (isRedis(store)) return `Redis, prefix paywindow.${name}`
  const { dir, name: base, ext } = parse(store)
  return `${dir === '' ? '' : `${dir}/`}${base}-${name}${ext}`
}

/** What opens the store of a shop. */
interface Place {
  storeOf(shop: string): Store
  end(): Promise<unknown>
}

/** @throws CommandFailure with what is missing, or with the database's refusal. */
async function openPlace({ store, shops }: ServeConfig, world: World): Promise<Place> {
  const end = async () => undefined
  if (shops.every(({ service }) => service === 'sandbox')) return { storeOf: () => createMemoryStore(), end }
  if (isPostgres(store)) {
    const { query, end } = await connectPostgres(store, world, postgresPool)
    return { storeOf: (name: string) => createPostgresStore({ query, schema: `paywindow_${name}` }), end }
  }
  if (isRedis(store)) {
    const { command, end } = await connectRedis(store, world)
    return { storeOf: (name: string) => createRedisStore({ command, prefix: `paywindow.${name}` }), end }
  }
  return {
    storeOf: (name: string) => createSqliteStore(resolve(world.folder, placeOf(store, name))),
    end,
  }
}

/** @throws CommandFailure with what is missing. */
async function startMetrics({ metricsPort: port, host, shops }: ServeConfig, world: World) {
  if (port === undefined) return undefined
  const names = shops.map(({ name }) => name)
  return openMetrics(names, { port, host }, world).catch((error: unknown) => {
    throw error instanceof CommandFailure ? error : unusable(port, error, 'metricsPort')
  })
}

interface RunningSandbox {
  accessOf(shop: string): SandboxAccess
  readonly greeting: string
  end(): Promise<void>
}

/**
 * One for all shops that have it, with an account for each; its controls on a port of this machine.
 */
async function startSandbox({ shops }: ServeConfig, port: number): Promise<RunningSandbox> {
  const [first, ...more] = shops.filter(({ service }) => service === 'sandbox').map(({ name }) => name)
  const sandbox = createSandbox(first === undefined ? {} : { subAccountIds: [first, ...more] })
  const accessOf = (shop: string) => ({ ...sandbox.access, subAccountId: shop })
  if (first === undefined) return { accessOf, greeting: '', end: async () => undefined }
  const server = await listen(sandbox.fetch, port).catch((error: unknown) => {
    throw unusable(port, error, '--sandbox-port')
  })
  const url = `http://127.0.0.1:${server.port}`
  return {
    accessOf,
    greeting: `
THE SANDBOX PLAYS THE EXCHANGE SERVICE of ${[first, ...more].join(', ')}. No money moves, and it forgets everything when it ends.
Let a payment happen: npx paywindow trigger paid --sandbox ${url}
`,
    end: () => server.close(),
  }
}

function unusable(port: number, error: unknown, where = 'port in the file'): CommandFailure {
  const code = error instanceof Error && 'code' in error ? error.code : error
  return new CommandFailure(exitCodes.failed, `Port ${port} cannot be used (${code}): choose another with ${where}.`)
}
