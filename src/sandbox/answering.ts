/** Answers whatever is asked of a sandbox: as the service would, with what goes wrong, and what only a sandbox answers. */
import { PaywindowError } from '../contract/errors.ts'
import type { SandboxClock } from './clock.ts'
import { control } from './control.ts'
import { type Fault, type FaultHook, throughFault } from './faults.ts'
import { drawIcon } from './icons.ts'
import { type Json, writeJson } from './json.ts'
import type { Ledger } from './ledger.ts'
import type { SandboxSettings } from './options.ts'
import type { Payer } from './payer.ts'
import { Refusal } from './refusal.ts'
import { serve } from './service.ts'
import type { Wallets } from './wallets.ts'
import type { Webhooks } from './webhooks.ts'

/** What is behind a sandbox's answers. */
export interface Parts {
  readonly settings: SandboxSettings
  readonly clock: SandboxClock
  readonly ledger: Ledger
  readonly wallets: Wallets
  readonly payer: Payer
  readonly webhooks: Webhooks
}

/** Answers a request as the service would, and those for icons and controls. */
export function createAnswer(parts: Parts, faults: FaultHook): (request: Request) => Promise<Response> {
  const { settings, clock, ledger, wallets } = parts
  const dateMs = () => clock.now() + settings.dateAheadMs
  let next: { readonly operation: string; readonly fault: Fault } | undefined
  const failNext = (operation: string, fault: Fault) => {
    next = { operation, fault }
  }

  function faultOf(request: Request): Fault | undefined {
    if (next?.operation !== `${request.method} ${new URL(request.url).pathname}`) return faults(request)
    const { fault } = next
    next = undefined
    return fault
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/icons/')) return answerIcon(request, clock.now())
    if (pathname.startsWith('/sandbox/')) return answerJson(() => control(request, { ...parts, failNext }), dateMs)
    const work = () => answerJson(() => serve(request, { settings, ledger, wallets, nowMs: clock.now }), dateMs)
    const fault = faultOf(request)
    return fault ? throughFault(fault, request, work, clock) : work()
  }
}

async function answerJson(work: () => Promise<Json>, dateMs: () => number): Promise<Response> {
  const [status, body] = await work().then(
    (json) => [200, json] as const,
    (error: unknown) => {
      if (error instanceof Refusal) return [error.status, { message: error.message }] as const
      if (error instanceof PaywindowError) return [400, { message: error.message }] as const
      throw error
    },
  )
  const headers = { 'content-type': 'application/json', date: new Date(dateMs()).toUTCString() }
  return new Response(writeJson(body), { status, headers })
}

function answerIcon(request: Request, nowMs: number): Response {
  const url = new URL(request.url)
  const expires = url.searchParams.get('expires')
  const icon = request.method === 'GET' ? drawIcon(url.pathname) : undefined
  const date = new Date(nowMs).toUTCString()
  if (!icon) return new Response(null, { status: 404, headers: { date } })
  if (expires !== null && Number(expires) <= nowMs) return new Response(null, { status: 403, headers: { date } })
  return new Response(icon, { headers: { 'content-type': 'image/png', date } })
}
