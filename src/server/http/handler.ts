/** Routes a request to its call, at whatever path the handler is mounted. */
import { keyHeader } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { statusOfCode } from '../../contract/status-of-code.ts'
import { endsWithin } from '../../service/within.ts'
import type { Checkouts } from '../checkout/checkouts.ts'
import type { Settings } from '../options.ts'
import {
  type Answer,
  answerOf,
  errorAnswer,
  type Incoming,
  jsonAnswer,
  type PublicError,
  pollAnswer,
  type Respond,
  readCheckoutRequest,
  readJson,
  readReference,
  refusePrefetch,
  toPublicError,
} from './exchange.ts'
import type { PayPage } from './pay-page.ts'

/**
 * The end of a path: `offer`, `checkouts`, `checkouts/{id}`, `checkouts/{id}/renew`,
 * `checkouts/{id}/handover`, `icons/{name}`. Some hosts put a slash behind every path.
 */
const routes = /\/(?:(offer)|(checkouts)(?:\/([\w-]{1,64})(?:\/(renew|handover))?)?|(icons)\/([\w-]{1,94}))\/?$/
/** The end of a path that is a page for people. */
const payRoute = /\/pay\/?$/

/** Longer than a creation with all its waits. */
const requestMs = 60_000

interface HandlerParts {
  readonly checkouts: Checkouts
  /** The icon of a checkout's asset, or one of an offer. */
  readonly icon: (name: string) => Promise<Response>
  readonly nameIncident: ReturnType<typeof createIncidents>
  readonly payPage: PayPage
}

/** Whether a form or script of our own page has sent the request, and it is no prefetch. */
export function isDeliberate(request: Incoming, settings: Settings): boolean {
  try {
    refuseOtherSites(request, settings)
    refusePrefetch(request)
    return true
  } catch (error) {
    if (error instanceof PaywindowError) return false
    throw error
  }
}

/** Returns a handler that always resolves: every failure is an answer. */
export function createHandler(settings: Settings, { checkouts, icon, nameIncident, payPage }: HandlerParts): Respond {
  /** Rejects with `service_unavailable` if the work takes too long. */
  async function inTime(work: Promise<Answer>): Promise<Answer> {
    if (await endsWithin(settings.clock, requestMs, work)) return work
    const what = `A request was not answered within ${requestMs} ms: offer, the store or the token did not respond`
    settings.report(new PaywindowError('internal', what), {})
    throw new PaywindowError('service_unavailable', 'This took too long: ask again', { retryAfterMs: 5_000 })
  }

  async function answer(request: Incoming): Promise<Answer> {
    const { url } = request
    const isPay = payRoute.test(url.pathname)
    const [, offer, collection, id, action, icons, iconName] = routes.exec(url.pathname) ?? []
    if (icons && iconName) return refuseMethod(request, reading) ?? answerOf(await icon(iconName))
    if (isPay && isRead(request)) {
      refuseRebinding(request, settings)
      refuseEmbedding(request, settings)
      return payPage.show(request)
    }
    refuseOtherSites(request, settings)
    if (!offer && !collection && !isPay) throw new PaywindowError('not_found', 'There is nothing at this path')
    if (id && !action)
      return refuseMethod(request, reading) ?? pollAnswer(request, await checkouts.poll(id, keyOf(request)))
    const refusal = refuseMethod(request, offer || isPay ? [...reading, 'POST'] : ['POST'])
    if (refusal) return refusal
    // Widgets up to 0.1 name the cart in the address, which others may log.
    if (offer && isRead(request))
      return jsonAnswer(await checkouts.offer(readReference(url.searchParams.get('reference')), request.web()))
    if (isPay) return payPage.act(request)
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

  /** In test mode a page shows its developer what was reported to the merchant. */
  function withReports(answer: Answer, error?: unknown): Answer {
    const reports = settings.recentReports?.header(error)
    return reports === undefined ? answer : { ...answer, headers: { ...answer.headers, 'paywindow-notes': reports } }
  }

  /** At `pay` a page shows the failure. If the page cannot be drawn, the answer is JSON. */
  async function refuse(request: Incoming, told: PublicError): Promise<Answer> {
    try {
      if (payRoute.test(request.url.pathname)) return await payPage.refuse(request, told)
    } catch (cause) {
      settings.report(new PaywindowError('internal', 'The page could not be drawn', { cause }), {})
    }
    return errorAnswer(told)
  }

  return async (request) => {
    if (request.method === 'OPTIONS') return withCors(request, preflight)
    try {
      return withCors(request, withReports(await inTime(answer(request))))
    } catch (error) {
      const known = error instanceof PaywindowError ? error : undefined
      const failure = known ?? new PaywindowError('internal', 'A request could not be answered', { cause: error })
      // The answer hides internal failures. The merchant's `onError` gets them.
      const told = toPublicError(error, (status) => nameIncident(failure, status))
      return withCors(request, withReports(await refuse(request, told), error))
    }
  }
}

/** Hosts that nobody can register, so no other site has one. */
const unregistrable = /^[^.]*$|^[\d.]+$|\.(?:localhost|local|test|internal)$/

/**
 * Refuses requests from pages of other sites before any lookup: answers that differ would tell such
 * a page about the visitor. Browsers name the site of a request. Other clients name none, and have
 * no session to abuse.
 *
 * @throws PaywindowError `forbidden_origin`
 */
function refuseOtherSites(request: Incoming, own: Pick<Settings, 'allowedOrigins' | 'publicOrigin' | 'test'>): void {
  const { allowedOrigins, publicOrigin } = own
  // A proxy may leave a header empty.
  const origin = request.header('origin') || null
  refuseRebinding(request, own)
  if (origin !== null && allowedOrigins.includes(origin)) return
  const site = request.header('sec-fetch-site') || null
  const isOwn = origin === null || isOwnHost(origin, request, publicOrigin)
  // A proxy may change the host of our own page. Where `publicOrigin` is set, it alone counts.
  if (site === 'same-origin' && (isOwn || publicOrigin === undefined)) return
  if (site === null && isOwn) return
  // The visitor has typed the address.
  if (site === 'none' && request.method !== 'POST') return
  throw forbidden(origin ?? 'another site', 'add it to allowedOrigins')
}

/**
 * Another site's name may lead to this machine (DNS rebinding). In production the client may be a
 * proxy, so only test mode checks.
 */
function refuseRebinding(
  { url, isFromHere }: Incoming,
  { allowedOrigins, publicOrigin, test }: Pick<Settings, 'allowedOrigins' | 'publicOrigin' | 'test'>,
): void {
  if (!test || !isFromHere || unregistrable.test(url.hostname)) return
  if (![publicOrigin, ...allowedOrigins].includes(url.origin)) throw forbidden(url.origin, 'name it in publicOrigin')
}

/**
 * Links to a page are welcome from anywhere. Embedding or prefetching would tell another site by
 * its outcome what this visitor may see.
 */
function refuseEmbedding(request: Incoming, { page }: Pick<Settings, 'page'>): void {
  const site = request.header('sec-fetch-site') || 'none'
  if (site === 'none' || site === 'same-origin') return
  refusePrefetch(request)
  const places = page?.frameAncestors === undefined ? ['document'] : ['document', 'iframe', 'frame']
  if (request.header('sec-fetch-mode') !== 'navigate' || !places.includes(request.header('sec-fetch-dest') ?? ''))
    throw forbidden('another site', 'link to it')
}

function forbidden(origin: string, advice: string): PaywindowError {
  const what = `This endpoint does not take requests from pages of ${origin}: ${advice} if it should`
  return new PaywindowError('forbidden_origin', what)
}

function isOwnHost(origin: string, request: Incoming, publicOrigin: string | undefined): boolean {
  if (publicOrigin !== undefined) return origin === publicOrigin
  const host = request.header('host') ?? request.url.host
  const own = URL.parse(origin)
  // `Host` may be in capitals, or have the default port.
  return own !== null && URL.parse(`${own.protocol}//${host}`)?.host === own.host
}

const reading: readonly string[] = ['GET', 'HEAD']

function isRead({ method }: Incoming): boolean {
  return reading.includes(method)
}

/** Undefined for a method that the path takes. OPTIONS is answered before. */
function refuseMethod({ method }: Incoming, taken: readonly string[]): Answer | undefined {
  if (taken.includes(method)) return undefined
  const refusal = errorAnswer(toPublicError(new PaywindowError('method_not_allowed', `Use ${taken.join(' or ')} here`)))
  return { ...refusal, headers: { ...refusal.headers, allow: [...taken, 'OPTIONS'].join(', ') } }
}

const preflight: Answer = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': `content-type, if-none-match, ${keyHeader}`,
    'access-control-max-age': '600',
  },
  body: null,
}

function keyOf(request: Incoming): string {
  const key = request.header(keyHeader)
  // The widget always sends it. `not_found` would tell the payer that the checkout is gone.
  const what = `The request came without the header ${keyHeader}: does something in front remove it?`
  if (key === null) throw new PaywindowError('invalid_request', what)
  if (key.length > 128) throw new PaywindowError('not_found', 'There is no such checkout, or this is not its key')
  return key
}

/** Anybody can cause refusals: no more than this are named and reported in a minute. */
const mostInAMinute = 60

/**
 * Names refusals that a payer cannot cure. The payer gives the shop the name, and the shop finds it
 * in the context that `onError` was called with. Names are random, of six letters and digits. The
 * returned function reports an error and returns its name; undefined where the payer needs no help.
 */
export function createIncidents(report: Settings['report'], newName: () => string, now: () => number) {
  let minute = 0
  let count = 0
  return (error: PaywindowError, status: number): string | undefined => {
    const isOwn = status === statusOfCode.internal
    if (!isOwn && !needHelp.includes(status)) return undefined
    const current = Math.floor(now() / 60_000)
    count = current === minute ? count + 1 : 1
    minute = current
    // Failures of our own are always reported.
    if (!isOwn && count > mostInAMinute) return undefined
    const incident = newName()
    report(error, { incident })
    return incident
  }
}

const needHelp: readonly number[] = [
  statusOfCode.invalid_request,
  statusOfCode.forbidden_origin,
  statusOfCode.request_too_large,
  statusOfCode.unsupported_media_type,
  statusOfCode.method_not_offered,
  statusOfCode.service_refused,
]
