/** `paywindow sandbox`: plays the service on a port of this machine until the process is asked to end. */
import { createSandbox } from '../sandbox/sandbox.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { type Listening, listen } from './listen.ts'
import type { World } from './world.ts'

/** Options of `paywindow sandbox`, as the command line gives them. */
export interface SandboxCommandOptions {
  readonly port: number
  /** Seconds after which a complete deposit is confirmed. */
  readonly autoConfirm?: number
}

/** Serves a new sandbox, says how to use it, and resolves when `world.stop` aborts. */
export async function runSandbox({ port, autoConfirm }: SandboxCommandOptions, world: World): Promise<void> {
  const sandbox = createSandbox(autoConfirm === undefined ? {} : { autoConfirmMs: autoConfirm * 1000 })
  const server = await listen(sandbox.fetch, port).catch((error: unknown) => {
    throw new CommandFailure(exitCodes.failed, `Port ${port} cannot be used: ${reasonOf(error)}`)
  })
  world.stdout(greeting(server, sandbox.access))
  await new Promise<void>((resolve) => {
    if (world.stop.aborted) resolve()
    else world.stop.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.close()
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

Its controls need no token and can be reached only from this machine:

  see orders, addresses and tags   curl ${url}/sandbox/orders
  pay                              curl ${url}/sandbox/deposits -d '{"address":"…","tag":"…","amount":"…"}'
  confirm, cancel, refund          curl -X POST ${url}/sandbox/orders/ID/confirm
  accept a late deposit            curl -X POST ${url}/sandbox/orders/ID/accept-late
  let the quote run out            curl ${url}/sandbox/clock -d '{"advanceMs":1200000}'

Ctrl+C ends it.
`
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'it is already in use. Choose another with --port.'
  if (code === 'EACCES') return 'this user is not allowed to use it. Choose 1024 or higher with --port.'
  return String(code ?? error)
}
