import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseKeyedCheckout } from '../contract/parsers.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { openPort } from '../server/http/listen.ts'
import { createMemoryStore, createPaywindow, listen as listenShop, type StatusEvent } from '../server/node.ts'
import { cartOffer } from '../server/shop.testing.ts'
import { forwardWebhooks } from './forward-webhooks.ts'
import { setUp, start, startIn } from './world.testing.ts'

const webhookSecret = 'a-secret_of.24~characters'

/** A server on a loopback port. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${await openPort(server, { port: 0, host: '127.0.0.1' })}`
}

describe('paywindow listen', () => {
  /** A sandbox and a shop on loopback ports. The shop watches nothing, and no browser polls. */
  async function setUpShop() {
    const { said } = start('sandbox', '--port', '0')
    const sandbox = (await said(/SERVICE_URL=(\S+)/))[1] ?? ''
    const told = Promise.withResolvers<StatusEvent>()
    const paywindow = createPaywindow({
      service: { ...createSandbox().access, baseUrl: sandbox, fetch },
      store: createMemoryStore(),
      offer: () => cartOffer,
      onStatusChange: (event) => {
        // The server may read the order between its deposit and its confirmation.
        if (event.status === 'confirmed') told.resolve(event)
      },
      onError: (error) => told.reject(error),
      test: true,
      webhookSecret,
    })
    const route = (request: Request) =>
      new URL(request.url).pathname.startsWith('/hooks') ? paywindow.webhook(request) : paywindow.fetch(request)
    const shop = await listenShop({ fetch: route }, { port: 0, host: '127.0.0.1' })
    onTestFinished(async () => void (await paywindow.close()))
    onTestFinished(shop.close)
    const origin = `http://127.0.0.1:${shop.port}`
    const open = async (reference: string) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ reference, asset: 'BTC', network: 'bitcoin' })
      const answer = await fetch(`${origin}/paywindow/checkouts`, { method: 'POST', headers, body })
      const checkout = parseKeyedCheckout(await answer.json())
      await paywindow.settled()
      return checkout
    }
    return { sandbox, sandboxSaid: said, origin, open, told: told.promise }
  }

  it('forwards webhooks of a payment that nobody polls for, and prints each answer', async () => {
    const { sandbox, origin, open, told } = await setUpShop()
    const hooks = start('listen', '--forward-to', `${origin}/hooks/`, '--secret', webhookSecret, '--sandbox', sandbox)
    await hooks.said(/Ctrl\+C ends it/)
    const { id } = await open('cart-1')
    const [, orderId] = await hooks.said(/^\d{4}-\S+Z {2}order\.created {2}(\S+) {2}open {2}204$/m)
    const paid = await start('trigger', 'paid', '--sandbox', sandbox).done
    expect(paid).toBe(0)
    expect(await told).toMatchObject({
      reference: 'cart-1',
      status: 'confirmed',
      checkout: { id, order: { id: orderId } },
    })
    await hooks.said(new RegExp(`^\\S+ {2}order\\.confirmed {2}${orderId} {2}confirmed {2}204$`, 'm'))

    const registered = async () => (await fetch(`${sandbox}/sandbox/webhooks`)).json()
    expect(await registered()).toEqual([{ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36}$/) }])
    await hooks.end()
    expect([await hooks.done, hooks.stderr(), await registered()]).toEqual([0, '', []])
  })

  it('prints a failure, and passes it to the sandbox, which repeats the webhook', async () => {
    const { sandbox, sandboxSaid, origin, open } = await setUpShop()
    const wrong = start(
      'listen',
      '--forward-to',
      `${origin}/hooks/`,
      '--secret',
      'not-the-secret-of-it',
      '--sandbox',
      sandbox,
    )
    await wrong.said(/Ctrl\+C ends it/)
    await open('cart-1')
    await wrong.said(/order\.created .* 401: compare --secret with webhookSecret$/m)
    await sandboxSaid(/^order\.created of \S+ to http:\/\/127\.0\.0\.1:\d+: 401, is sent again$/m)
    await wrong.end()
    const nobody = start('listen', '--forward-to', 'http://127.0.0.1:1/', '--sandbox', sandbox)
    await nobody.said(/Ctrl\+C ends it/)
    await open('cart-2')
    await nobody.said(/order\.created .* no answer: does your server run at that address\?$/m)
  })

  it('forwards nothing from others', async () => {
    const { sandbox } = await setUpShop()
    const asked: (string | undefined)[] = []
    const shop = await serve((request, response) => {
      asked.push(request.headers.authorization)
      response.end()
    })
    const hooks = start('listen', '--forward-to', shop, '--secret', webhookSecret, '--sandbox', sandbox)
    await hooks.said(/Ctrl\+C ends it/)
    const registered: { url: string }[] = await (await fetch(`${sandbox}/sandbox/webhooks`)).json()
    const url = registered[0]?.url ?? ''
    expect((await fetch(new URL('/', url), { method: 'POST', body: '{}' })).status).toBe(404)
    expect((await fetch(url)).status).toBe(404)
    expect(asked).toEqual([])
    expect((await fetch(url, { method: 'POST', body: 'no JSON' })).status).toBe(200)
    expect(asked).toEqual([`Bearer ${webhookSecret}`])
    await hooks.said(/a webhook that cannot be read {2}200/)
  })

  it('ends without a failure after the sandbox has ended', async () => {
    const sandbox = start('sandbox', '--port', '0')
    const url = (await sandbox.said(/SERVICE_URL=(\S+)/))[1] ?? ''
    const hooks = start('listen', '--forward-to', 'http://127.0.0.1:1/', '--sandbox', url)
    await hooks.said(/Ctrl\+C ends it/)
    await sandbox.end()
    await hooks.end()
    expect([await hooks.done, hooks.stderr()]).toEqual([0, ''])
  })

  it('registers again at a restarted sandbox', async () => {
    const first = start('sandbox', '--port', '0')
    const url = (await first.said(/SERVICE_URL=(\S+)/))[1] ?? ''
    const hooks = startIn(async (world) => {
      await forwardWebhooks({ forwardTo: 'http://127.0.0.1:1/', sandbox: url }, world, 10)
      return 0
    })
    await hooks.said(/Ctrl\+C ends it/)
    await first.end()
    await vi.waitFor(() => expect(hooks.stderr()).toMatch(/No sandbox answers .* Waiting for it\.\n$/))
    await start('sandbox', '--port', new URL(url).port).said(/Ctrl\+C/)
    await hooks.said(/The sandbox is there again\./)
    expect(await (await fetch(`${url}/sandbox/webhooks`)).json()).toHaveLength(1)
  })

  it.each<[string, string[], number, string]>([
    ['no address', ['--forward-to', 'shop.example/hooks'], 2, '--forward-to must be an http or https address'],
    [
      'no sandbox',
      ['--forward-to', 'http://127.0.0.1:1/', '--sandbox', 'http://127.0.0.1:1'],
      1,
      'npx paywindow sandbox',
    ],
    ['nothing', [], 2, '--forward-to'],
  ])('with %s says what to do', async (_, line, code, words) => {
    const result = await setUp().command(['listen', ...line], {}, fetch)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(words)
  })
})

describe('paywindow sandbox --webhook', () => {
  it('sends webhooks from the start, and prints each answer without the path', async () => {
    const got = Promise.withResolvers<string | undefined>()
    const origin = await serve((request, response) => {
      got.resolve(request.headers.authorization)
      response.writeHead(500).end()
    })
    const line = ['sandbox', '--port', '0', '--webhook', `${origin}/hooks/`, '--webhook-secret', webhookSecret]
    const sandbox = start(...line)
    const url = (await sandbox.said(/SERVICE_URL=(\S+)/))[1] ?? ''
    const { accessToken, subAccountId } = createSandbox().access
    await fetch(`${url}/v1/order/exchange`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'x-sub-account-id': subAccountId, accept: 'application/json' },
      body: JSON.stringify({ source_asset: 'BTC', target_asset: 'USD', target_amount: '5' }),
    })
    expect(await got.promise).toBe(`Bearer ${webhookSecret}`)
    await sandbox.said(new RegExp(`^order\\.created of \\S+ to ${origin}: 500, is sent again$`, 'm'))
    await sandbox.end()
    expect(await sandbox.done).toBe(0)
  })

  it('refuses a text that is no address', async () => {
    const { code, stderr } = await setUp().command(['sandbox', '--webhook', 'shop.example'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be an http or https address')])
  })
})
