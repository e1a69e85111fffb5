/** Payers without scripts, on the page of a server that dies again and again. Half have a link. */
import { type DrawnPage, readDrawnPage } from '../world/drawn-page.ts'

/** A page that asks for money, and the browser that shows it. */
export interface PlainPage {
  readonly shown: DrawnPage
  readonly cookie: string
  /** Presses the button again that has led there. */
  pressAgain(): Promise<void>
  /** Loads it anew. Resolves with the page, or with undefined if the server does not answer. */
  reload(): Promise<DrawnPage | undefined>
}

/** Repeats until it succeeds, or the payer has no more patience. */
export type Patiently = <Result>(
  attempt: () => Promise<Result | undefined>,
  patienceMs?: number,
) => Promise<Result | undefined>

/** Returns what opens pages, with the patience of payers. */
export function createPlainPages(url: () => string | undefined, patiently: Patiently) {
  /** One request; undefined where it fails. */
  async function send(path: string, init: RequestInit = {}): Promise<Response | undefined> {
    const base = url()
    if (base === undefined) return undefined
    const headers = { origin: base, 'sec-fetch-site': 'same-origin', ...init.headers }
    return fetch(`${base}${path}`, {
      redirect: 'manual',
      ...init,
      headers,
      signal: AbortSignal.timeout(30_000),
    }).catch(() => undefined)
  }

  async function searchOf(reference: string, isLinked: boolean): Promise<string | undefined> {
    if (!isLinked) return `?reference=${reference}`
    return patiently(async () => {
      const answer = await send(`/links/${reference}`)
      return answer?.ok ? answer.text().catch(() => undefined) : undefined
    })
  }

  return {
    /** Opens the page of a cart and presses until it asks for money. */
    open: async (reference: string, isLinked: boolean): Promise<PlainPage | undefined> => {
      const search = await searchOf(reference, isLinked)
      if (search === undefined) return undefined
      let cookie = ''
      let pressed = new URLSearchParams()

      const reload = async (): Promise<DrawnPage | undefined> => {
        const answer = await send(`/pay${search}`, { headers: { cookie } })
        cookie = answer?.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
        const page = readDrawnPage((await answer?.text().catch(() => '')) ?? '')
        return answer?.ok && page.view !== undefined ? page : undefined
      }
      const press = () => send(`/pay${search}`, { method: 'POST', headers: { cookie }, body: pressed })

      const shown = await patiently(async () => {
        const page = await reload()
        if (page?.view !== 'choosing') return page?.view === 'waiting' ? page : undefined
        pressed = new URLSearchParams({ id: page.id, act: page.acts[0] ?? '' })
        await press()
        return undefined
      })
      return shown && { shown, cookie, reload, pressAgain: async () => void (await press()) }
    },
  }
}
