/**
 * A page with nothing but the payment. `GET {endpoint}/pay?reference=…`, or `?link=…`, shows what there is, and creates nothing. A form that is sent
 * to the same address does what its payer has pressed. All of it works without scripts; with them the widget takes the page over.
 */
import type { Checkout, Offer } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { asText } from '../../contract/parse.ts'
import type { Checkouts } from '../checkout/checkouts.ts'
import type { Settings } from '../options.ts'
import { type Shown, toInitial } from '../views/initial-view.ts'
import { type Answer, type Incoming, type PublicError, readForm, readReference, retryAfter } from './exchange.ts'
import { cookieOf, hasCookie, type Links, type SignedLink } from './links.ts'

interface PayPageParts {
  readonly checkouts: Pick<Checkouts, 'offer' | 'show' | 'open' | 'renewOf'>
  readonly links: Pick<Links, 'readValid'>
  readonly settings: Pick<Settings, 'page' | 'clock'>
  readonly now: () => number
  readonly nonce: () => string
}

/** The page, and the same page where something is wrong. */
export interface PayPage {
  /** For a GET. */
  show(request: Incoming): Promise<Answer>
  /** Does what was pressed, and sends the browser to the page. For a POST. */
  act(request: Incoming): Promise<Answer>
  refuse(request: Incoming, error: PublicError): Promise<Answer>
}

/** A page without scripts is loaded anew after so many seconds, while something can change. */
const refreshS = { waiting: 15, refused: 30 }

/** Loads what draws with the first page. */
export function createPayPage({ checkouts, links, settings, now, nonce }: PayPageParts): PayPage {
  const { page = {} } = settings

  /** The cart that the address names, by a link or by itself. */
  async function cartOf({ url }: Incoming): Promise<Cart> {
    const token = url.searchParams.get('link')
    if (token === null) {
      const reference = readReference(url.searchParams.get('reference'))
      return { reference, link: null, query: { reference }, cookies: [] }
    }
    const link = await links.readValid(token)
    if (!link) throw new PaywindowError('not_found', 'This link has ended')
    const cookies = [cookieOf(link, token, new URL(page.url ?? url), now())]
    return { reference: link.reference, link, query: { link: token }, cookies }
  }

  async function draw(request: Incoming, parts: Drawn): Promise<Answer> {
    const { drawPage } = await import('#page')
    const { url } = request
    const own = nonce()
    const html = drawPage({
      nonce: own,
      languages: request.header('accept-language') ?? '',
      // A proxy may change the path: what the page asks for is beside it.
      endpoint: url.pathname.endsWith('/') ? '..' : '.',
      action: url.search || '?',
      script: page.script,
      logo: page.logo,
      accent: page.accent,
      theme: page.theme,
      handoverUrl: page.script && (url.pathname.endsWith('/') ? '.' : 'pay'),
      ...parts,
    })
    return {
      status: parts.status ?? 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policyFor(own, page),
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        ...parts.headers,
      },
      body: html,
      cookies: parts.cookies ?? [],
    }
  }

  return {
    show: async (request) => {
      const { searchParams } = request.url
      // A page that was opened with a link of another device says in its fragment what it shows.
      if (page.script !== undefined && !searchParams.has('reference') && !searchParams.has('link'))
        return draw(request, { title: '', reference: undefined, initial: undefined })
      const { reference, link, cookies } = await cartOf(request)
      // The preview of a link sees who is paid how much, and nothing that can be paid.
      const isPreview = link !== null && !hasCookie(request.header('cookie'), link)
      const offer = await checkouts[isPreview ? 'offer' : 'show'](reference, request.web())
      const shown = shownOf(offer, isPreview, searchParams.has('choose'))
      const initial = toInitial(shown, (name) => request.header(name), now())
      return draw(request, { title: titleOf(offer), reference, initial, refreshS: refreshOf(shown.checkout), cookies })
    },
    act: async (request) => {
      const { reference, query, cookies } = await cartOf(request)
      const form = await readForm(request.web(), settings.clock)
      const [act, ...words] = (form.get('act') ?? '').split(' ')
      const back = new URLSearchParams(query)
      if (act === 'choose') {
        const [asset, network] = words.map(readWord)
        if (asset === undefined || network === undefined) throw unknownAct()
        await checkouts.open({ reference, asset, network }, request.web())
      } else if (act === 'renew') await checkouts.renewOf(reference, form.get('id') ?? '', request.web())
      else if (act === 'change') back.set('choose', '')
      else if (act !== 'look') throw unknownAct()
      return { status: 303, headers: { location: `?${back}`, 'cache-control': 'no-store' }, body: null, cookies }
    },
    refuse: (request, { code, message, status, retryAfterMs, incident }) =>
      draw(request, {
        title: '',
        // The widget asks again, and is told the same.
        reference: request.url.searchParams.get('reference') ?? undefined,
        initial: undefined,
        error: new PaywindowError(code, message, { incident }),
        refreshS: status >= 500 || status === 429 ? refreshS.refused : undefined,
        status,
        headers: retryAfter(retryAfterMs),
      }),
  }
}

interface Cart {
  readonly reference: string
  readonly link: SignedLink | null
  /** What names it in the page's address. */
  readonly query: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
}

/** What differs between pages. */
interface Drawn {
  readonly title: string
  readonly reference: string | undefined
  readonly initial: ReturnType<typeof toInitial> | undefined
  readonly error?: PaywindowError
  readonly refreshS?: number | undefined
  readonly status?: number
  readonly cookies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

function shownOf({ checkout, ...offer }: Offer, isPreview: boolean, isChoosing: boolean): Shown {
  return checkout && !isPreview && !(isChoosing && checkout.cart === 'open') ? { checkout } : { offer }
}

function titleOf({ merchant, price }: Offer): string {
  return `${merchant.name} · ${price.amount} ${price.asset}`
}

/** Undefined where nothing changes any more, or a payer chooses, whose press must not be lost. */
function refreshOf(checkout: Checkout | undefined): number | undefined {
  return checkout?.phase === 'waiting' || checkout?.phase === 'seen' ? refreshS.waiting : undefined
}

/** @throws PaywindowError `invalid_request` */
function readWord(word: string): string {
  try {
    return asText(decodeURIComponent(word), 'act', 64)
  } catch {
    throw unknownAct()
  }
}

function unknownAct(): PaywindowError {
  return new PaywindowError('invalid_request', 'The form asks for nothing that there is')
}

/** Nothing from elsewhere, but what the merchant has named; and no page shows it in a frame. */
function policyFor(nonce: string, { script, logo, frameAncestors = "'none'" }: NonNullable<Settings['page']>): string {
  // Of an address on this site, `'self'` says it; a proxy in front may have another name.
  const originOf = (address = '') => (/^https?:/.test(address) ? ` ${new URL(address).origin}` : '')
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `img-src 'self' data:${originOf(logo)}`,
    script === undefined ? "script-src 'none'" : `script-src 'self'${originOf(script)}`,
    `connect-src 'self'${originOf(script)}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')
}
