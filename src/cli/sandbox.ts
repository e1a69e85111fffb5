/** `paywindow sandbox`: plays the service on a loopback port until the process is stopped. */
import { createSandbox } from '../sandbox/sandbox.ts'
import type { WebhookAttempt, WebhookOptions } from '../sandbox/webhook-types.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { type Listening, listen } from './listen.ts'
import { untilStopped, type World } from './world.ts'

/** Options of `paywindow sandbox`. */
export interface SandboxCommandOptions {
  readonly port: number
  /** Seconds after which a complete deposit is confirmed. */
  readonly autoConfirm?: number
  /** Address of the webhook on the merchant's server. */
  readonly webhook?: string
  /** Sent as `Authorization: Bearer`. */
  readonly webhookSecret?: string
}

/** Serves a new sandbox and prints how to use it. Resolves when `world.stop` aborts. */
export async function runSandbox(options: SandboxCommandOptions, world: World): Promise<void> {
  const { port, autoConfirm } = options
  const sandbox = createSandbox({
    ...(autoConfirm !== undefined && { autoConfirmMs: autoConfirm * 1000 }),
    webhooks: webhooksOf(options, world),
  })
  const server = await listen(sandbox.fetch, port).catch((error: unknown) => {
    throw new CommandFailure(exitCodes.failed, `Port ${port} cannot be used: ${reasonOf(error)}`)
  })
  world.stdout(greeting(server, sandbox.access))
  await untilStopped(world)
  sandbox.webhooks.stop()
  await server.close()
}

function webhooksOf({ webhook: url, webhookSecret: secret }: SandboxCommandOptions, world: World): WebhookOptions {
  return {
    receivers: url === undefined ? [] : [{ url, ...(secret !== undefined && { secret }) }],
    fetch: world.fetch,
    onAttempt: (attempt) => world.stdout(lineOf(attempt)),
  }
}

function lineOf({ event, orderId, url, status, repeats }: WebhookAttempt): string {
  // The path may have the secret.
  return `${event} of ${orderId} to ${new URL(url).origin}: ${status ?? 'no answer'}${repeats ? ', is sent again' : ''}\n`
}

function greeting(
  { port }: Listening,
  { accessToken, subAccountId }: { readonly accessToken: string; readonly subAccountId: string },
): string {
  const url = `http://127.0.0.1:${port}`
  return `The sandbox plays the exchange service at ${url}. No money moves, and it forgets everything when it ends.

export PAYWINDOW_SERVICE_URL=${url}
export PAYWINDOW_ACCESS_TOKEN=${accessToken}
export PAYWINDOW_SUB_ACCOUNT_ID=${subAccountId}

Its addresses are test addresses: your server takes them with createPaywindow({ test: true }) only.

Its payer, and all that can go wrong:

  let a payment happen             npx paywindow trigger paid --sandbox ${url}
  see what else can happen         npx paywindow trigger --list
  send webhooks to your server     npx paywindow listen --forward-to URL --sandbox ${url}

Its controls need no token and can be reached only from this machine:

  see orders, addresses and tags   curl ${url}/sandbox/orders
  pay                              curl ${url}/sandbox/deposits -d '{"address":"…","tag":"…","amount":"…"}'
  confirm, cancel, refund          curl -X POST ${url}/sandbox/orders/ID/confirm
  accept a late deposit            curl -X POST ${url}/sandbox/orders/ID/accept-late
  let the quote run out            curl ${url}/sandbox/clock -d '{"advanceMs":1200000}'
  lose the next creation's answer  curl -X PUT ${url}/sandbox/fault -d '{"kind":"reset","workDone":true}'
  send the next webhook twice      curl -X PUT ${url}/sandbox/webhooks/fault -d '{"kind":"twice"}'
  send webhooks to an address      curl -X PUT ${url}/sandbox/webhooks -d '{"url":"…","secret":"…"}'

Ctrl+C ends it.
`
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'it is already in use. Choose another with --port.'
  if (code === 'EACCES') return 'this user is not allowed to use it. Choose 1024 or higher with --port.'
  return String(code ?? error)
}
