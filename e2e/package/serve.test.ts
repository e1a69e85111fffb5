/**
 * From an empty folder to a paid payment link in another language, word for word as docs/serve.md
 * says.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { secrets as teaSecrets, wholeFile } from '../../src/serve/config.testing.ts'
import { openPort } from '../../src/server/http/listen.ts'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { createProject } from './project.testing.ts'

const project = createProject('module', [])
const page = readFileSync(join(project.installed, 'docs/serve.md'), 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code)
let running: ChildProcess | undefined
afterAll(() => {
  running?.kill('SIGKILL')
  project.remove()
})

/** What a shop is told, until `next` takes it. */
function createShop() {
  const told: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  let wake = () => {}
  const server = createServer(async (request, response) => {
    told.push({ headers: request.headers, body: `${request.method} ${request.url} ${await text(request)}` })
    response.writeHead(204).end()
    wake()
  })
  const next = async () => {
    while (told.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    const [first] = told.splice(0, 1)
    if (!first) throw new Error('nothing was told')
    return first
  }
  return { server, next }
}

it('three commands and two requests lead to a paid order', { timeout: 120_000 }, async () => {
  const shop = createShop()
  onTestFinished(() => void shop.server.close())
  const [eventsPort, port] = [await openPort(shop.server, { port: 0, host: '127.0.0.1' }), await freePort()]
  const here = (code: string) => code.replaceAll('8080', `${port}`).replaceAll('9000', `${eventsPort}`)
  const [file = ''] = blocks('json')
  writeFileSync(join(project.folder, 'paywindow.json'), here(file))

  const [start = '', post = '', trigger = '', get = ''] = blocks('sh')
  expect(start.match(/^export PAYWINDOW_BOOKS_(?:LINK|API|EVENTS)_SECRET=/gm)).toHaveLength(3)
  const secrets = {
    PAYWINDOW_BOOKS_LINK_SECRET: randomBytes(32).toString('hex'),
    PAYWINDOW_BOOKS_API_SECRET: randomBytes(32).toString('hex'),
    PAYWINDOW_BOOKS_EVENTS_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  }
  const env = { ...process.env, ...secrets }
  const cli = join(project.installed, 'dist', 'cli.js')
  const paywindow = (...args: string[]) =>
    spawnSync(process.execPath, [cli, ...args], { cwd: project.folder, env, encoding: 'utf8' })
  const check = paywindow('serve', '--check')
  expect([check.stderr, check.status]).toEqual(['', 0])
  expect(start.trim().split('\n').at(-1)).toBe('npx paywindow serve')
  running = spawn(process.execPath, [cli, 'serve', '--sandbox-port', '0'], {
    cwd: project.folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = [check.stdout]
  let sandbox = ''
  if (!running.stdout) throw new Error('the program has no output')
  for await (const line of createInterface(running.stdout)) {
    said.push(line)
    sandbox = /npx paywindow trigger paid --sandbox (\S+)/.exec(line)?.[1] ?? ''
    if (sandbox) break
  }

  /** The answer to a request of the page, which is written for curl. */
  const curl = async (code: string) => {
    const read = here(code).replaceAll(/\$(\w+)/g, (_, name) => secrets[name as keyof typeof secrets])
    const headers = Object.fromEntries(
      [...read.matchAll(/-H "([\w-]+): ([^"]+)"/g)].map(([, name, value]) => [name, value]),
    )
    const body = /-d '([^']+)'/.exec(read)?.[1]
    const url = /http:[^\s"]+/.exec(read)?.[0] ?? ''
    return fetch(url, { headers: headers as Record<string, string>, ...(body && { method: 'POST', body }) })
  }
  const made = await curl(post)
  const { url, code } = (await made.json()) as { readonly url: string; readonly code: string }
  expect([made.status, url]).toEqual([201, expect.stringContaining(`http://localhost:${port}/books/pay?link=`)])
  expect(code).toMatch(/^<svg xmlns/)

  const first = await fetch(url)
  const opened = await first.text()
  for (const words of ['€49.90', '2026/0042', 'Lantern Books', '<script src="/paywindow.js"'])
    expect(opened).toContain(words)
  expect((await fetch(new URL('/paywindow.js', url))).status).toBe(200)
  expect((await fetch(new URL('/locales/de.json', url))).status).toBe(200)
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const headers = { cookie, origin: `http://localhost:${port}` }
  const body = new URLSearchParams({ act: 'choose BTC bitcoin' })
  expect((await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })).status).toBe(303)
  expect(await (await fetch(url, { headers })).text()).toContain('class="pw-exact"')

  expect(trigger.trim()).toBe('npx paywindow trigger paid')
  const paid = paywindow('trigger', 'paid', '--sandbox', sandbox)
  expect([paid.stderr, paid.status]).toEqual(['', 0])
  const types: string[] = []
  for (let last = ''; last !== 'payment.paid'; ) {
    const event = await shop.next()
    const [line, json = ''] = [event.body.slice(0, 22), event.body.slice(event.body.indexOf('{'))]
    expect(line).toBe('POST /paywindow-events')
    const verified = new Webhook(secrets.PAYWINDOW_BOOKS_EVENTS_SECRET).verify(
      json,
      event.headers as Record<string, string>,
    )
    expect(verified).toMatchObject({
      data: { order: '42', number: '2026/0042', price: { asset: 'EUR', amount: '49.90' }, test: true },
    })
    last = (verified as { readonly type: string }).type
    types.push(last)
  }
  expect(['payment.paid', 'payment.seen payment.paid']).toContain(types.join(' '))
  const answer = await curl(get)
  expect([answer.status, await answer.json()]).toMatchObject([200, { order: '42', payments: [{ phase: 'paid' }] }])
  expect(await (await fetch(url, { headers })).text()).toContain('2026/0042')

  const ended = once(running, 'exit')
  running.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  for (const secret of Object.values(secrets)) expect(said.join('\n')).not.toContain(secret)
})

it('a second signal ends it at once, whatever is under way', async () => {
  const { 'tea-house': shop } = wholeFile.shops
  writeFileSync(
    join(project.folder, 'tea.json'),
    JSON.stringify({ publicUrl: 'http://localhost', port: 0, shops: { 'tea-house': shop } }),
  )
  const args = [join(project.installed, 'dist', 'cli.js'), 'serve', '--config', 'tea.json', '--sandbox-port', '0']
  const env = { ...process.env, ...teaSecrets }
  running = spawn(process.execPath, args, { cwd: project.folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  if (!running.stdout) throw new Error('the program has no output')
  const ended = once(running, 'exit')
  let hanging: Socket | undefined
  for await (const line of createInterface(running.stdout)) {
    const port = /serves port (\d+)/.exec(line)?.[1]
    if (port !== undefined) {
      hanging = connect(Number(port), '127.0.0.1').on('error', () => undefined)
      const head = [
        'POST /tea-house/offer HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        'Expect: 100-continue',
        'Content-Length: 9',
      ]
      hanging.write(`${head.join('\r\n')}\r\n\r\n`)
      // The server has begun with it, and waits for a body that does not come.
      await once(hanging, 'data')
      running.kill('SIGTERM')
    }
    if (line.startsWith('Ends when all')) running.kill('SIGINT')
  }
  expect(await ended).toEqual([1, null])
  hanging?.destroy()
})

it('each file of the page is one that the schema takes', async () => {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const schema = JSON.parse(readFileSync(join(project.installed, 'dist/paywindow.schema.json'), 'utf8'))
  const follows = new Ajv2020().compile(schema)
  const files = blocks('json')
    .map((code) => JSON.parse(code))
    .filter((file) => 'shops' in file)
  expect(files.length).toBe(2)
  for (const file of files) expect([follows(file), follows.errors]).toEqual([true, null])
})
