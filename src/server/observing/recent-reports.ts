/**
 * What the merchant was told lately, for the page in test mode: a developer looks at the page, and not at what another process prints. Without
 * test mode nothing is kept.
 */
import type { PaywindowError, PaywindowErrorCode } from '../../contract/errors.ts'
import { inOneLine } from '../notifying/error-text.ts'

/** Until a page has polled a few times. */
const keptMs = 60_000
/** What lasts until the merchant mends it, so that every page may say it. All else is of one request, and goes with the next answer, which is its own. */
const lasting: ReadonlySet<string> = new Set<PaywindowErrorCode>([
  'events_waiting',
  'nobody_watches',
  'clock_differs',
  'token_unencrypted',
])
/** Whose words are our own: of all others a browser learns the code. They may name an order of the service, or repeat what the service said. */
const plain: ReadonlySet<string> = new Set<string>([...lasting, 'offer_invalid', 'callback_failed'])
/** Proxies refuse an answer whose headers are longer than a page of memory, and a letter that is not ASCII takes six. */
const mostBytes = 2_000
const longest = 300

/** One header, a JSON list of sentences in ASCII; undefined where there is nothing to say. */
export interface RecentReports {
  note(error: PaywindowError): void
  header(): string | undefined
}

/** Keeps the last few reports for a minute. */
export function createRecentReports(now: () => number): RecentReports {
  let kept: readonly { readonly text: string; readonly atMs: number; readonly isLasting: boolean }[] = []
  const encoded = () => asAscii(JSON.stringify(kept.map(({ text }) => text)))
  return {
    note: (error) => {
      const { code, message } = inOneLine(error)
      const text = `${code}: ${plain.has(code) ? message : "the server's log has the words"}`
        .slice(0, longest)
        .toWellFormed()
      kept = [...kept.filter((report) => report.text !== text), { text, atMs: now(), isLasting: lasting.has(code) }]
      while (encoded().length > mostBytes) kept = kept.slice(1)
    },
    header: () => {
      kept = kept.filter(({ atMs }) => now() - atMs < keptMs)
      const header = kept.length === 0 ? undefined : encoded()
      kept = kept.filter(({ isLasting }) => isLasting)
      return header
    },
  }
}

function asAscii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
