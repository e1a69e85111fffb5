/**
 * The shops of examples/languages behind `paywindow serve`: what they say of an order after each
 * outcome of its payment. docs/languages.md has the table, which `PAYWINDOW_WRITE=yes` writes.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPort } from '../../src/server/http/listen.ts'
import { expectKept } from '../plugins/kept-table.ts'
import { outcomes } from '../plugins/outcomes.ts'
import { createSettings, type Payments, startPayments } from '../plugins/payments.ts'
import { languages, prepareGo, removeCompiled, type Shop, signed, startShop } from './programs.ts'

const order = 'order-7'
const rows: (readonly string[])[] = []

beforeAll(prepareGo)
afterAll(removeCompiled)

describe.concurrent('after each outcome', () => {
  it.each(outcomes)('$name', { timeout: 180_000 }, async ({ name, play }) => {
    await using shops = await openShops()
    await play({ payments: shops.payments, order, link: await shops.link() })
    await shops.write(name)
  })
})

it('is killed while it stores paid, and has it when it comes again', { timeout: 180_000 }, async () => {
  await using shops = await openShops()
  const { payments } = shops
  const chosen = await payments.choose(await shops.link())
  // A pipe in place of the file: whoever reads the line has it, and the shop has not stored it.
  const lines = shops.eventFiles.map((file) => {
    expect(spawnSync('mkfifo', [file]).status).toBe(0)
    return once(spawn('cat', [file]).stdout, 'data')
  })
  payments.trigger('paid', chosen)
  await Promise.all(lines)
  payments.cutOff(true)
  await shops.kill()
  for (const file of shops.eventFiles) rmSync(file)
  await shops.start()
  expect(await shops.look()).toEqual({ status: 'open', payments: [] })
  payments.cutOff(false)
  await expectToldAgain(payments, (await payments.taken('payment.paid', order, chosen)).id)
  await shops.write('paid, the shop killed while it stored it')
})

it('is killed before it answers that it has paid, and has it once', { timeout: 180_000 }, async () => {
  await using shops = await openShops()
  const { payments } = shops
  const chosen = await payments.choose(await shops.link())
  shops.loseAnswers(true)
  payments.trigger('paid', chosen)
  await expect.poll(() => shops.eventFiles.every(existsSync), { timeout: 60_000 }).toBe(true)
  await shops.kill()
  await shops.start()
  shops.loseAnswers(false)
  await expectToldAgain(payments, (await payments.taken('payment.paid', order, chosen)).id)
  for (const file of shops.eventFiles) expect(readFileSync(file, 'utf8').match(/payment\.paid/g)).toHaveLength(2)
  await shops.write('paid, the shop killed before it answered')
})

it('docs/languages.md says it', () => {
  const names = [...outcomes.map(({ name }) => name), ...rows.map(([name = '']) => name)]
  const sorted = rows.toSorted(([a = ''], [b = '']) => names.indexOf(a) - names.indexOf(b))
  expect(sorted).toHaveLength(outcomes.length + 2)
  const table = [['outcome', '`status`', '`payments`'], ['---', '---', '---'], ...sorted]
  expectKept(
    'languages.md',
    'outcomes',
    table.map((cells) => `| ${cells.join(' | ')} |`),
  )
})

async function expectToldAgain({ told }: Payments, id: string): Promise<void> {
  const tries = told.filter((each) => each.id === id).map(({ status }) => status < 300)
  expect(tries.length).toBeGreaterThan(1)
  expect(tries).toEqual([...tries.slice(1).map(() => false), true])
}

/** A shop of each language. All are told of one payment, which the link of the first began. */
async function openShops() {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-shops-'))
  const settings = await createSettings()
  const all = Object.values(languages).map((language, place) => ({ language, file: join(folder, `${place}`) }))
  let running: readonly Shop[] = []
  let isLost = false

  const start = async () => {
    const env = {
      PAYWINDOW_PAGE: settings.page,
      PAYWINDOW_LINK_SECRET: settings.linkSecret,
      PAYWINDOW_EVENT_SECRETS: settings.eventsSecret,
      PAYWINDOW_TEST: 'yes',
    }
    running = await Promise.all(all.map(({ language, file }) => startShop(language, { ...env, EVENTS_FILE: file })))
  }
  await start()
  // Answers with the worst of the answers of all.
  const fan = createServer(async (request, response) => {
    const body = await buffer(request)
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type']
    const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]))
    const statuses = running.map(async ({ url }) => {
      const answer = await fetch(`${url}/events`, { method: 'POST', headers, body }).catch(() => undefined)
      return answer?.status ?? 502
    })
    response.writeHead(Math.max(isLost ? 502 : 204, ...(await Promise.all(statuses)))).end()
  })
  const port = await openPort(fan, { port: 0, host: '127.0.0.1' })
  const payments = await startPayments(settings, { eventsUrl: () => `http://127.0.0.1:${port}/` })

  /** What all say of the order. */
  const look = async () => {
    const [first, ...others] = await Promise.all(
      running.map(async ({ url }) => (await fetch(`${url}/orders/${signed(order)}`)).json()),
    )
    expect(others).toEqual(others.map(() => first))
    return first as { readonly status: string; readonly payments: readonly string[] }
  }
  const kill = () => Promise.all(running.map((shop) => shop.kill()))

  return {
    payments,
    eventFiles: all.map(({ file }) => file),
    link: async () => {
      const [first] = running
      const answer = await fetch(`${first?.url}/orders/${signed(order)}/pay`, { redirect: 'manual' })
      return answer.headers.get('location') ?? ''
    },
    look,
    /** Adds a row to the table. */
    write: async (name: string) => {
      const { status, payments } = await look()
      rows.push([name, `\`${status}\``, payments.map((each) => `\`${each}\``).join(', ')])
    },
    loseAnswers: (isOn: boolean) => {
      isLost = isOn
    },
    kill,
    start,
    [Symbol.asyncDispose]: async () => {
      await payments.close()
      await new Promise((resolve) => fan.close(resolve))
      await kill()
      rmSync(folder, { recursive: true })
    },
  }
}
