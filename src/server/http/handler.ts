/** Routes a request to its call, at whatever path the handler is mounted. */
import { keyHeader } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { Checkouts } from '../checkout/checkouts.ts'
import type { Settings } from '../options.ts'
import { type Answer, answerOf, type Incoming, type Respond } from './exchange.ts'
import type { NameIncident } from './incidents.ts'
import { checkOrigin, readCheckoutRequest, readJson, readReference, refusePrefetch } from './read-request.ts'
import { errorAnswer, jsonAnswer, pollAnswer } from './responses.ts'

/**
 * The end of a path: `offer`, `checkouts`, `checkouts/{id}`, `checkouts/{id}/renew`, `checkouts/{id}/handover`, `icons/{id}`. Some hosts put a
 * slash behind every path.
 */
const routes = /\/(?:(offer)|(checkouts)(?:\/([\w-]{1,64})(?:\/(renew|handover))?)?|(icons)\/([\w-]{1,94}))\/?$/

interface HandlerParts {
  readonly checkouts: Checkouts
  /** The icon of a checkout's asset, or one of an offer. */
  readonly icon: (name: string) => Promise<Response>
  readonly nameIncident: NameIncident
}

/** Returns a handler that always resolves: every failure is an answer. */
export function createHandler(settings: Settings, { checkouts, icon, nameIncident }: HandlerParts): Respond {
  async function answer(request: Incoming): Promise<Answer> {
    const { url } = request
    const [, offer, collection, id, action, icons, iconId] = routes.exec(url.pathname) ?? []
    if (icons && iconId) return allow(request, 'GET') ?? answerOf(await icon(iconId))
    checkOrigin(request, settings)
    // Widgets up to 0.1 name the cart in the address, which others write down.
    if (offer && allow(request, 'GET') === undefined)
      return jsonAnswer(await checkouts.offer(readReference(url.searchParams.get('reference')), request.web()))
    if (!offer && !collection) throw new PaywindowError('not_found', 'There is nothing at this path')
    if (id && !action) return allow(request, 'GET') ?? pollAnswer(request, await checkouts.poll(id, keyOf(request)))
    const refusal = allow(request, 'POST')
    if (refusal) return refusal
    const body = await readJson(request.web(), settings.clock)
    if (offer) return jsonAnswer(await checkouts.offer(readCheckoutRequest(body).reference, request.web()))
    if (id && action === 'renew') return jsonAnswer(await checkouts.renew(id, keyOf(request), request.web()))
    if (id && action === 'handover') return jsonAnswer(await checkouts.handover(id, keyOf(request)))
    refusePrefetch(request)
    return jsonAnswer(await checkouts.open(readCheckoutRequest(body), request.web()))
  }

  function withCors(request: Incoming, { headers, ...rest }: Answer): Answer {
    if (settings.allowedOrigins.length === 0) return { ...rest, headers }
    const varying = { ...headers, vary: headers.vary === undefined ? 'origin' : `${headers.vary}, origin` }
    const origin = request.header('origin')
    if (origin === null || !settings.allowedOrigins.includes(origin)) return { ...rest, headers: varying }
    const allowing = {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'etag, retry-after, paywindow-notes',
    }
    return { ...rest, headers: { ...varying, ...allowing } }
  }

  /** In test mode a page is told what the merchant was told, so that its developer need not look for it. */
  function withReports(answer: Answer, error?: unknown): Answer {
    const reports = settings.recentReports?.header(error)
    return reports === undefined ? answer : { ...answer, headers: { ...answer.headers, 'paywindow-notes': reports } }
  }

  return async (request) => {
    if (request.method === 'OPTIONS') return withCors(request, preflight())
    try {
      return withCors(request, withReports(await answer(request)))
    } catch (error) {
      // Internal failures are hidden from the caller, so they are reported to the merchant.
      const refusal = errorAnswer(error, (status) => nameIncident(asOwnFailure(error), status))
      return withCors(request, withReports(refusal, error))
    }
  }
}

function allow(request: Incoming, method: 'GET' | 'POST'): Answer | undefined {
  if (request.method === method || (method === 'GET' && request.method === 'HEAD')) return undefined
  const refusal = errorAnswer(new PaywindowError('method_not_allowed', `Use ${method} here`))
  return { ...refusal, headers: { ...refusal.headers, allow: method } }
}

function asOwnFailure(error: unknown): PaywindowError {
  if (error instanceof PaywindowError) return error
  return new PaywindowError('internal', 'A request could not be answered', { cause: error })
}

function preflight(): Answer {
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': `content-type, if-none-match, ${keyHeader}`,
      'access-control-max-age': '600',
    },
    body: null,
  }
}

function keyOf(request: Incoming): string {
  const key = request.header(keyHeader)
  // The widget always sends it. Without it every checkout would be unknown, and its payer would lose the address.
  if (key === null)
    throw new PaywindowError(
      'invalid_request',
      `The request came without the header ${keyHeader}: does something in front remove it?`,
    )
  if (key.length > 128) throw new PaywindowError('not_found', 'There is no such checkout, or this is not its key')
  return key
}
