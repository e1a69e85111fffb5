/** @jsxImportSource preact */
/** The desk of a shop: pages for a person who looks after payments. */
import { PaywindowError } from '../../contract/errors.ts'
import { ParseError } from '../../contract/parse.ts'
import { type Answer, type Incoming, readForm } from '../../server/http/exchange.ts'
import type { PaywindowServer } from '../../server/paywindow.ts'
import type { Store } from '../../server/store/store.ts'
import { steady } from '../../server/time/work.ts'
import { type Clock, systemClock } from '../../service/clock.ts'
import { printable } from '../../service/printable.ts'
import { pageAnswer, type Said, SignIn, seeOther } from './layout.tsx'
import { createPages, createSay, isId, type PageParts, paymentIn } from './pages.tsx'
import { createSessions, type Session } from './sessions.ts'

/** Of one shop. */
interface DeskParts extends Omit<PageParts, 'now'> {
  readonly name: string
  /** The shop's name for people. */
  readonly shop: string
  /** Where the desk is, as browsers see it. */
  readonly url: URL
  readonly isTest: boolean
  readonly paywindow: Pick<PaywindowServer, 'checkouts' | 'bind' | 'retell' | 'health'>
  readonly store: Store
  readonly passwordHash: string
  readonly clientKey: (request: Request) => string | undefined
  /** Told of tries to sign in that failed. */
  readonly refused: (request: Incoming, what: string) => void
  /** Told what made a page fail. */
  readonly report: (error: unknown) => void
  readonly clock?: Clock
}

/**
 * What whoever sent a request can mend. The last is a body that came too slowly: strangers must not
 * fill the log.
 */
const ofRequest = ['invalid_request', 'request_too_large', 'unsupported_media_type', 'service_unavailable']

const newer: Said = {
  tone: 'bad',
  words: 'Something new has happened since you loaded the page, and nothing was done. Look, and press again.',
}

/** Answers requests below `/{shop}/admin`. Never rejects. */
export function createDesk({ clock = systemClock, ...parts }: DeskParts) {
  const { shop, url, isTest, paywindow, refused, report } = parts
  const around = { shop, base: url.pathname, isTest }
  // Where a clock is set back, nobody waits for a try until it has gone on as far again.
  const now = steady(clock)
  const sessions = createSessions({ ...parts, now })
  const pages = createPages(around, { ...parts, now })
  const say = createSay(around)

  const askToSignIn = (
    request: Incoming,
    words?: string,
    status = 200,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const said: Said | undefined = words === undefined ? undefined : { tone: 'bad', words }
    return pageAnswer(<SignIn {...around} action={addressOf(request)} said={said} />, status, headers)
  }

  async function signIn(request: Incoming, password: string): Promise<Answer> {
    try {
      const cookie = await sessions.begin(request, password)
      if (cookie) return seeOther(addressOf(request), [cookie])
      refused(request, 'a wrong password at the desk')
      return askToSignIn(request, 'This is not the password.', 403)
    } catch (error) {
      if (!(error instanceof PaywindowError) || error.code !== 'rate_limited') throw error
      refused(request, 'too many tries to sign in at the desk')
      const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1_000)
      const words = `Too many tries. Wait ${Math.ceil(seconds / 60)} min, then try again.`
      return askToSignIn(request, words, 429, { 'retry-after': `${seconds}` })
    }
  }

  /** Does what was pressed on the page of a payment. @param id - Of one of its quotes. */
  async function press(form: URLSearchParams, id: string, session: Session, back: string): Promise<Answer> {
    const act = form.get('act')
    const orderId = (form.get('order') ?? '').trim()
    try {
      if (act === 'tell') {
        await paywindow.retell(id)
        return seeOther(`${back}?done=told`)
      }
      if (act === 'deal' || act === 'wait') {
        const known = act === 'deal' ? (form.get('known') ?? '') : undefined
        if (!(await pages.deal(id, known))) return pages.payment(id, session, { said: newer, status: 409 })
        return seeOther(`${back}?done=${act === 'deal' ? 'dealt' : 'waits'}`)
      }
      await paywindow.bind(id, orderId, { confirmed: form.get('confirmed') === 'yes' })
      return seeOther(`${back}?done=bound`)
    } catch (error) {
      if (!(error instanceof PaywindowError)) throw error
      // What follows is for programs and for the command line.
      const [why = '', advice] = printable(error.message).split(' If it is the right order anyway')
      const pressed =
        advice === undefined ? { said: { tone: 'bad', words: why } as const } : { contradiction: { id, orderId, why } }
      return pages.payment(id, session, { ...pressed, status: 409 })
    }
  }

  async function act(request: Incoming, path: string): Promise<Answer> {
    const refusal = refusalOf(request, url)
    if (refusal !== undefined) return say('Refused', refusal, 403)
    const form = await readForm(request.web(), clock)
    const pressed = form.get('act') ?? ''
    if (pressed === 'sign-in') return signIn(request, form.get('password') ?? '')
    const session = await sessions.find(request)
    if (!session) return askToSignIn(request, 'Your session has ended, and nothing was done. Sign in again.', 403)
    if (!sessions.isOwnForm(session, form.get('token') ?? ''))
      return say('Refused', 'This form is of another session. Load the page again, and press it there.', 403, session)
    if (pressed === 'sign-out') return seeOther(around.base, [await sessions.end(request)])
    const id = form.get('id') ?? ''
    if (paymentIn(path) === undefined || !isId(id) || !['bind', 'tell', 'deal', 'wait'].includes(pressed))
      return say('Not found', 'There is nothing to press.', 404, session)
    return press(form, id, session, `${around.base}${path}`)
  }

  async function show(request: Incoming, path: string): Promise<Answer> {
    const session = await sessions.find(request)
    return session ? pages.show(request, path, session) : askToSignIn(request)
  }

  /** @param path - What follows `admin`. */
  return async (request: Incoming, path: string): Promise<Answer> => {
    try {
      if (request.method === 'POST') return await act(request, path)
      if (request.method === 'GET' || request.method === 'HEAD') return await show(request, path)
      const refusal = say('Refused', 'Open this page in a browser.', 405)
      return { ...refusal, headers: { ...refusal.headers, allow: 'GET, HEAD, POST' } }
    } catch (error) {
      const isOfRequest = error instanceof PaywindowError && ofRequest.includes(error.code)
      if (error instanceof ParseError || isOfRequest) return say('Not understood', `${printable(error.message)}.`, 400)
      report(error)
      return say('This did not work', 'Try again in a moment. The log of the server says why.', 500)
    }
  }
}

/** Where a form of this page is sent. No other site can be named in it. */
function addressOf({ url: { pathname, search } }: Incoming): string {
  return `${pathname}${search}`
}

/**
 * Why a form is refused; undefined where it is this site's own. Browsers name the site that a form
 * is from.
 */
function refusalOf(request: Incoming, { origin: own, href }: URL): string | undefined {
  // A proxy may leave a header empty.
  const site = request.header('sec-fetch-site') || null
  const origin = request.header('origin') || null
  if (site === null && origin === null)
    return 'Nothing says which site has sent this: a proxy in front has to pass the headers Origin and Sec-Fetch-Site.'
  const isOwn = (site ?? 'same-origin') === 'same-origin' && (origin ?? own) === own
  return isOwn ? undefined : `Another site has sent this. Open the desk at ${href}`
}
