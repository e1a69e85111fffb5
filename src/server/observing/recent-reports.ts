/**
 * The last reports, for the page in test mode: a developer looks at the page, not at the server's
 * log. Without test mode nothing is kept.
 */
import { PaywindowError, type PaywindowErrorCode } from '../../contract/errors.ts'
import { inOneLine } from './occurrence.ts'

/** Long enough for a few polls of a page. */
const keptMs = 60_000
/** Errors that last until the merchant acts. They name nobody, so every page may show them. */
const lasting: ReadonlySet<string> = new Set<PaywindowErrorCode>([
  'events_waiting',
  'nobody_watches',
  'clock_differs',
  'token_unencrypted',
])
/**
 * Errors in our own words, which the page of the failed request may show. Other errors may name an
 * order or quote the service.
 */
const ofOwn: ReadonlySet<string> = new Set<PaywindowErrorCode>(['offer_invalid', 'callback_failed'])
/** About the proxies of a shop in use: on a developer's machine it would always appear. */
const ofProxies: PaywindowErrorCode = 'clients_look_alike'
/** Proxies refuse headers of about 4 KB. A letter beyond ASCII takes six bytes. */
const mostBytes = 2_000
const longest = 300

/** Keeps reports for the next answer. */
export type RecentReports = ReturnType<typeof createRecentReports>

/** Keeps the last few reports for a minute, or for one answer if they do not last. */
export function createRecentReports(now: () => number) {
  let kept: readonly { readonly code: string; readonly text: string; readonly atMs: number }[] = []

  function keep({ code, message }: PaywindowError, isSaid: boolean): void {
    const words = isSaid ? message : "the server's log has the words"
    const text = `${code}: ${words}`.slice(0, longest).toWellFormed()
    kept = [...kept.filter((report) => report.text !== text), { code, text, atMs: now() }]
    while (encoded().length > mostBytes) kept = kept.slice(1)
  }
  const encoded = () => asAscii(JSON.stringify(kept.map(({ text }) => text)))

  return {
    note: (error: PaywindowError): void => {
      if (error.code !== ofProxies) keep(inOneLine(error), lasting.has(error.code))
    },
    /**
     * A JSON list of sentences in ASCII; undefined if there are none. Failures of other requests
     * have their code alone.
     *
     * @param own - Why the answered request failed.
     */
    header: (own?: unknown): string | undefined => {
      kept = kept.filter(({ atMs }) => now() - atMs < keptMs)
      if (own instanceof PaywindowError && ofOwn.has(own.code)) {
        kept = kept.filter(({ code }) => code !== own.code)
        keep(inOneLine(own), true)
      }
      const header = kept.length === 0 ? undefined : encoded()
      kept = kept.filter(({ code }) => lasting.has(code))
      return header
    },
  }
}

function asAscii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
