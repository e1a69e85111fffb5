/**
 * A browser without scripts, and somebody who looks at the page that the server draws and presses
 * its buttons. It keeps cookies and every page that it was shown.
 */
import { checkLoaded } from '../checks/pages.ts'
import { addressOf } from '../world/device.ts'
import { type DrawnPage, readDrawnPage } from '../world/drawn-page.ts'
import type { Link, World } from '../world/types.ts'

/** A page that was loaded. */
export interface LoadedPage extends DrawnPage {
  /** 0 where no answer came. */
  readonly status: number
  readonly search: string
  readonly loadedAtMs: number
}

/** What a page asks somebody to send. */
export interface Bill {
  readonly amount: string
  readonly asset: string
  readonly address: string
  readonly tag: string | null
}

/** A browser, as its user uses it. All loads resolve with the page that is there then. */
export interface PlainBrowser {
  /** Follows a link from elsewhere, or an address that was kept. */
  open(search: string): Promise<LoadedPage>
  /** Loads the page that is there anew. */
  reload(): Promise<LoadedPage>
  /** Presses a button of a page, also of one to which its user has gone back. */
  press(page: LoadedPage, act: string): Promise<LoadedPage>
  page(): LoadedPage | undefined
  /** The first page with this screen, as it was; undefined where none was shown. */
  earlier(view: string): LoadedPage | undefined
  /** What the page asks for at this moment, as somebody can read it. */
  bill(): Bill | undefined
  /** When the styles take the bill away; undefined where there is none, or where they do not. */
  billEndsAtMs(): number | undefined
  /**
   * Loads the page as it says, or again after a failure. Resolves with the first that fulfils the
   * wish.
   */
  until(wish: (page: LoadedPage) => boolean, patienceMs: number): Promise<LoadedPage | undefined>
  /**
   * Asks as the widget would that other scripts of this browser bring. Resolves with the status.
   */
  askByScript(reference: string): Promise<number>
}

const path = '/paywindow/pay'
/** Nobody waits longer for a page. */
const patienceMs = 40_000
/** When somebody tries again whose browser says that there is no page. */
const triesAgainMs = 20_000

/**
 * Opens a browser.
 *
 * @param cookies - That it has, each with its value.
 */
export function openPlainBrowser(
  world: World,
  way: Link,
  {
    name,
    reference,
    cookies,
  }: { readonly name: string; readonly reference: string; readonly cookies: readonly string[] },
): PlainBrowser {
  const { time, plan, findings } = world
  const address = addressOf(plan.seed, name)
  const connection = way.connect({ reference, address, isOnline: () => true })
  const jar = new Map(cookies.map((cookie) => cookie.split('=', 2) as [string, string]))
  const pages: LoadedPage[] = []

  const cookieHeader = () => [...jar].map(([key, value]) => `${key}=${value}`).join('; ')

  function send(to: string, init: RequestInit): Promise<Response | undefined> {
    const cookie = cookieHeader()
    const headers = { ...navigation, ...init.headers, ...(cookie && { cookie }) }
    const answer = connection(to, { ...init, headers, redirect: 'manual' }).catch(() => undefined)
    return Promise.race([answer, time.sleep(patienceMs).then(() => undefined)])
  }

  async function load(
    search: string,
    site: 'cross-site' | 'none' | 'same-origin',
    form?: URLSearchParams,
  ): Promise<LoadedPage> {
    const askedAtMs = time.nowMs()
    const headers = { 'sec-fetch-site': site, ...(form && { origin: 'https://shop.example' }) }
    const answer = await send(`${path}${search}`, { headers, ...(form && { method: 'POST', body: form }) })
    // A browser whose clock is wrong keeps cookies that have ended.
    for (const cookie of answer?.headers.getSetCookie() ?? []) {
      const [, key = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? []
      jar.set(key, value)
    }
    const location = answer?.status === 303 ? answer.headers.get('location') : null
    if (location !== null) return load(location, 'same-origin')
    const drawn = readDrawnPage((await answer?.text()) ?? '')
    const page = { ...drawn, search, status: answer?.status ?? 0, loadedAtMs: time.nowMs() }
    checkLoaded(world, page, askedAtMs)
    findings.trace('page', name, page.status, page.view ?? null, page.id)
    pages.push(page)
    return page
  }

  const page = () => pages.at(-1)
  const isAsking = (each: LoadedPage | undefined) => each?.view === 'waiting' && each.status === 200

  return {
    page,
    // A link stands in a mail, which another site shows.
    open: (search) => load(search, search.includes('link=') ? 'cross-site' : 'none'),
    reload: () => load(page()?.search ?? '', 'same-origin'),
    press: (from, act) => load(from.action, 'same-origin', new URLSearchParams({ id: from.id, act })),
    earlier: (view) => pages.find((each) => each.view === view),
    bill: () => {
      const shown = page()
      if (!shown || !isAsking(shown) || time.nowMs() >= shown.loadedAtMs + shown.visibleForMs) return undefined
      const { amount = '', asset = '', address: to = '', tag } = shown
      return { amount, asset, address: to, tag }
    },
    billEndsAtMs: () => {
      const shown = page()
      const endsAtMs = shown && isAsking(shown) ? shown.loadedAtMs + shown.visibleForMs : Number.POSITIVE_INFINITY
      return Number.isFinite(endsAtMs) ? endsAtMs : undefined
    },
    until: async (wish, forMs) => {
      const giveUpAtMs = time.nowMs() + forMs
      for (;;) {
        const shown = page()
        if (shown && wish(shown)) return shown
        if (time.nowMs() >= giveUpAtMs) return undefined
        const refreshS = shown?.refreshS
        await time.sleep(refreshS === undefined ? triesAgainMs : refreshS * 1_000)
        await load(page()?.search ?? '', 'same-origin')
      }
    },
    askByScript: async (asked) => {
      const headers = {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
      }
      const answer = await send('/paywindow/checkouts', {
        method: 'POST',
        headers,
        body: JSON.stringify({ reference: asked }),
      })
      return answer?.status ?? 0
    },
  }
}

/** What browsers say of themselves when somebody opens a page. */
const navigation = {
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'accept-language': 'en',
}
