/**
 * Links that ask for an amount. A payer types it, and gets a link to pay it. A cashier gets a page,
 * `?link=…&till=…`, which has that link as a code, and shows when the amount is paid.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Checkouts } from '../checkout/checkouts.ts'
import type { Settings } from '../options.ts'
import type { AskedAmount } from './asked-amount.ts'
import type { Answer, Incoming } from './exchange.ts'
import type { Links, SignedLink } from './links.ts'
import type { AnswerPage } from './page-answer.ts'

/** The page of a waiting till reloads after so many seconds. */
const refreshS = 3
/** In a longer text somebody could hide another address to pay to. */
const longestTyped = 30

/** Creates the pages around an amount that somebody types. */
export function createTill(settings: Settings, checkouts: Checkouts, links: Links, answerPage: AnswerPage) {
  return {
    ask: async (request: Incoming, asked: AskedAmount): Promise<Answer> => {
      const { drawQuestion } = await import('#page')
      const { search, searchParams } = request.url
      const refused = searchParams.get('refused')?.slice(0, longestTyped) ?? null
      return answerPage(request, {}, (look) => drawQuestion({ ...look, asked, action: search, refused }))
    },
    /** Redirects to the page of the typed amount, or back to the question. */
    take: async (
      link: SignedLink,
      form: URLSearchParams,
      cookiesOf: (link: SignedLink) => readonly string[],
    ): Promise<Answer> => {
      const typed = (form.get('typed') ?? '').slice(0, longestTyped)
      const made = await links.answer(link, typed)
      if (!made) return seeOther({ link: link.token, refused: typed })
      return link.asks?.by === 'cashier'
        ? seeOther({ link: made.token, till: link.token })
        : seeOther({ link: made.token }, cookiesOf(made))
    },
    /** Shows whether an amount typed at a till is paid. @param till - Token of the till. */
    showSale: async (request: Incoming, till: string, { token, reference, from }: SignedLink): Promise<Answer> => {
      // A till that has ended or was revoked begins no sale, and shows what came of its last one.
      const own = links.read(till)
      if (own?.asks?.by !== 'cashier' || from !== own.reference)
        throw new PaywindowError('not_found', 'This till has no such payment')
      const offer = await checkouts.show(reference, request.web())
      const url = new URL(settings.page?.url ?? request.url)
      url.search = `${new URLSearchParams({ link: token })}`
      const { drawSale } = await import('#page')
      return answerPage(request, {}, (look) =>
        drawSale({
          ...look,
          offer,
          url: url.href,
          next: `?${new URLSearchParams({ link: till })}`,
          refreshS: offer.cart === 'paid' ? undefined : refreshS,
        }),
      )
    },
  }
}

/** Redirects to a page after a form. */
export function seeOther(query: Readonly<Record<string, string>>, cookies: readonly string[] = []): Answer {
  const location = `?${new URLSearchParams(query)}`
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: null, cookies }
}
