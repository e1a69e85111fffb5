/**
 * A page with nothing but the payment. `GET {endpoint}/pay?reference=…` or `?link=…` shows the
 * state, and creates nothing. A form, sent to the same address, does what the payer has pressed.
 * The page works without scripts; with them the widget takes it over.
 */
import type { Checkout, Offer } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { asText } from '../../contract/parse.ts'
import type { Checkouts } from '../checkout/checkouts.ts'
import type { Context } from '../context.ts'
import { LinkEndedError } from '../offers.ts'
import { type Shown, toInitial } from '../views/initial-view.ts'
import { type Answer, type Incoming, type PublicError, readForm, readReference, retryAfter } from './exchange.ts'
import { cookieOf, endedCookies, hasCookie, type Links, type SignedLink } from './links.ts'
import { createAnswerPage, type Outer } from './page-answer.ts'
import { createTill, seeOther } from './till.ts'

/** The page, and the same page where something is wrong. */
export type PayPage = ReturnType<typeof createPayPage>

/** A page without scripts reloads after so many seconds, while something can change. */
const refreshS = { waiting: 15, refused: 30 }

/** Loads the drawing code with the first page. */
export function createPayPage({ settings, ids, now }: Context, checkouts: Checkouts, links: Links) {
  const { page = {} } = settings
  const answerPage = createAnswerPage(settings, ids.secret)
  const till = createTill(settings, checkouts, links, answerPage)

  const cookiesOf = (link: SignedLink, { url, header }: Incoming) => {
    const own = new URL(page.url ?? url)
    return [cookieOf(link, own), ...endedCookies(header('cookie'), link, own)]
  }

  /** The link in the address; null if the address names a cart. */
  async function linkOf({ url, header }: Incoming): Promise<SignedLink | null> {
    const token = url.searchParams.get('link')
    if (token === null) return null
    const signed = links.read(token)
    // Whoever was shown a quote may be paying it, and a till waits for that: `telling` in links.ts.
    const wasShown = signed && !signed.asks && (hasCookie(header('cookie'), signed) || url.searchParams.has('till'))
    const link = wasShown ? signed : await links.readValid(token)
    if (!link) throw new LinkEndedError()
    return link
  }

  const referenceOf = ({ url }: Incoming, link: SignedLink | null) =>
    link?.reference ?? readReference(url.searchParams.get('reference'))

  async function draw(request: Incoming, { status, cookies, headers, ...drawn }: Drawn): Promise<Answer> {
    const { drawPage } = await import('#page')
    const { url } = request
    // Relative, because a proxy may change the path.
    const isFolder = url.pathname.endsWith('/')
    return answerPage(request, { status, cookies, headers }, (look) =>
      drawPage({
        isLink: false,
        ...look,
        ...drawn,
        endpoint: isFolder ? '..' : '.',
        action: url.search || '?',
        script: page.script,
        handoverUrl: page.script && (isFolder ? '.' : 'pay'),
      }),
    )
  }

  return {
    /** For a GET. */
    show: async (request: Incoming): Promise<Answer> => {
      const { searchParams } = request.url
      // A page that another device has handed over names its checkout in the fragment.
      if (page.script !== undefined && !searchParams.has('reference') && !searchParams.has('link'))
        return draw(request, { reference: undefined, initial: undefined })
      const link = await linkOf(request)
      if (link?.asks) return till.ask(request, link.asks)
      const atTill = searchParams.get('till')
      if (link && atTill !== null) return till.showSale(request, atTill, link)
      const reference = referenceOf(request, link)
      // The preview of a link sees who is paid how much, and nothing that can be paid.
      const isPreview = link !== null && !hasCookie(request.header('cookie'), link)
      const offer = await checkouts[isPreview ? 'offer' : 'show'](reference, request.web())
      const shown = shownOf(offer, isPreview, searchParams.has('choose'))
      return draw(request, {
        isLink: link !== null,
        reference,
        initial: toInitial(shown, (name) => request.header(name), now()),
        refreshS: refreshOf(shown.checkout),
        cookies: link ? cookiesOf(link, request) : [],
      })
    },
    /** For a POST: does what was pressed, and redirects to the page. */
    act: async (request: Incoming): Promise<Answer> => {
      const link = await linkOf(request)
      const form = await readForm(request.web(), settings.clock)
      if (link?.asks) return till.take(link, form, (made) => cookiesOf(made, request))
      const reference = referenceOf(request, link)
      const back = link ? { link: link.token } : { reference }
      const [act, ...words] = (form.get('act') ?? '').split(' ')
      if (act === 'choose') await checkouts.open({ reference, ...readMethod(words) }, request.web())
      else if (act === 'renew') await checkouts.renewOf(reference, form.get('id') ?? '', request.web())
      else if (act !== 'change' && act !== 'look') throw unknownAct()
      const cookies = link ? cookiesOf(link, request) : []
      return seeOther({ ...back, ...(act === 'change' && { choose: '' }) }, cookies)
    },
    refuse: (request: Incoming, { code, message, status, retryAfterMs, incident }: PublicError) =>
      draw(request, {
        // The widget asks again, and gets the same answer.
        reference: request.url.searchParams.get('reference') ?? undefined,
        initial: undefined,
        error: new PaywindowError(code, message, { incident }),
        refreshS: status >= 500 || status === 429 ? refreshS.refused : undefined,
        status,
        headers: retryAfter(retryAfterMs),
      }),
  }
}

/** The differences between pages. */
interface Drawn extends Outer {
  readonly isLink?: boolean
  readonly reference: string | undefined
  readonly initial: ReturnType<typeof toInitial> | undefined
  readonly error?: PaywindowError
  readonly refreshS?: number | undefined
}

function shownOf({ checkout, ...offer }: Offer, isPreview: boolean, isChoosing: boolean): Shown {
  return checkout && !isPreview && !(isChoosing && checkout.cart === 'open') ? { checkout } : { offer }
}

/** Undefined once nothing changes, and while a payer chooses: a reload could lose a press. */
function refreshOf(checkout: Checkout | undefined): number | undefined {
  return checkout?.phase === 'waiting' || checkout?.phase === 'seen' ? refreshS.waiting : undefined
}

/** @throws PaywindowError `invalid_request` */
function readMethod([asset = '', network = '']: readonly string[]) {
  const read = (word: string) => asText(decodeURIComponent(word), 'act', 64)
  try {
    return { asset: read(asset), network: read(network) }
  } catch {
    throw unknownAct()
  }
}

function unknownAct(): PaywindowError {
  return new PaywindowError('invalid_request', 'The form asks for nothing that there is')
}
