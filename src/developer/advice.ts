/** From what went wrong to what to do about it. */

/**
 * The fix for each code, as the tables of docs/errors.md and docs/troubleshooting.md have it:
 * scripts/advice.ts puts it here.
 */
declare const PAYWINDOW_ADVICE: Readonly<Record<string, string>>

/**
 * Where the fix depends on more than the code; the first that fits. `origin` is that of the page.
 */
const cases: readonly (readonly [fits: (words: string, origin: string) => boolean, fix: string])[] = [
  [
    (words) => words.startsWith('invalid_options: endpoint'),
    'On the element or the script tag set `endpoint` and `reference`, and `network` where there is `asset`.',
  ],
  [
    (words) => words.endsWith(' did not answer null'),
    'The page is in a frame with `sandbox`, so it has no origin: add `allow-same-origin` to it.',
  ],
  [
    (words) => words.startsWith('not_found'),
    'The server’s store does not know this payment. A memory store forgets everything when the server restarts, which a development server does at each edit: use SQLite.',
  ],
  [
    (words) => words.startsWith('service_unavailable'),
    'Does the exchange service run, and is `service.baseUrl` right? The server’s log says what did not answer. It is asked again by itself. A restarted sandbox has forgotten its orders: delete the shop’s `.paywindow`, and restart the shop.',
  ],
  [
    isAcrossOrigins,
    'Is the server running? If it is, add this page’s origin to `allowedOrigins`, and the endpoint to `connect-src` of a Content-Security-Policy.',
  ],
  [
    (words) => words.startsWith('invalid_answer: ') && words.includes('is not valid JSON'),
    'What answers there is a page and not Paywindow: mount its server so that it gets all paths below `endpoint`.',
  ],
  [
    (words) => words.startsWith('invalid_answer: ') && words.endsWith(': status 404'),
    'Nothing is mounted at this address: is `endpoint` the path of your server’s handler?',
  ],
  [
    (words) => words.startsWith('stays English: texts for'),
    'Import its file of `paywindow/locales`, and set it as `texts`. A script of `type="module"` finds `locales` where its file’s name has `paywindow` in it.',
  ],
  [(words) => words.startsWith('stays English'), 'Serve the folder `locales` of the package beside the script.'],
  [
    (words) => words.startsWith('Icon '),
    'Icons come from the endpoint: a Content-Security-Policy needs it in `img-src`, and a proxy must pass on its `/icons/`.',
  ],
]

/**
 * What to do, in one or two sentences with `code` in backticks; null where nothing can be advised.
 */
export function adviceOn(words: string, origin: string): string | null {
  const [code = ''] = words.split(': ')
  return cases.find(([fits]) => fits(words, origin))?.[1] ?? PAYWINDOW_ADVICE[code] ?? null
}

function isAcrossOrigins(words: string, origin: string): boolean {
  const [, url = ''] = /^unreachable: (\S+) did not answer /.exec(words) ?? []
  return URL.canParse(url) && new URL(url).origin !== origin
}
