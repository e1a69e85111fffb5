/** Mistakes in passing on what the service and hosts of icons said, made on purpose. */
import { PaywindowError } from '../../../src/contract/errors.ts'
import type { IconFetch } from '../../../src/server/icons/icons.ts'
import { unbroken } from '../world/breakage.ts'
import { manyCarts, type Variant, windowWith } from './variant.ts'

/** Variants with a mistake about the words and pictures of others. */
export const answerVariants = {
  doubles: {
    what: 'passes amounts through Number',
    caughtBy: ['wrong digits'],
    make: () => ({ ...unbroken, serviceFetch: (fetch) => throughDoubles(fetch) }),
  },
  staleArrival: {
    what: 'keeps saying what was missing after it has come',
    caughtBy: ['arrived otherwise'],
    plan: manyCarts,
    make: () => ({
      ...unbroken,
      answer: (text) => text.replace(/"kind":"exact"/, '"kind":"short"'),
    }),
  },
  wallClock: {
    what: 'counts down to a time of day, where clocks are an hour behind',
    caughtBy: ['shown late'],
    make: () => ({
      ...unbroken,
      received: (text, { wallMs }) =>
        text.replace(
          /"expiresAt":"([^"]+)","expiresInMs":-?\d+/g,
          (_, expiresAt: string) =>
            `"expiresAt":"${expiresAt}","expiresInMs":${Date.parse(expiresAt) - wallMs + 3_600_000}`,
        ),
    }),
  },
  retriedPost: {
    what: 'sends a creation again that failed',
    caughtBy: ['created without cause'],
    make: () => ({ ...unbroken, serviceFetch: (fetch) => retrying(fetch) }),
  },
  silent: {
    what: 'answers 500 and reports nothing',
    caughtBy: ['failure, unreported'],
    // Few requests fail inside the server.
    plan: manyCarts,
    make: () => ({
      ...unbroken,
      options: (options) => ({
        ...options,
        onError: (error, context) => (error.code === 'internal' ? undefined : options.onError?.(error, context)),
      }),
    }),
  },
  leak: {
    what: 'quotes the service in an answer',
    caughtBy: ['secrets leaked'],
    make: () => ({
      ...unbroken,
      answer: (text) => text.replace('{', '{"debug":"POST https://sandbox.invalid/v1/order/exchange",'),
    }),
  },
  countedTwice: {
    what: 'counts each change twice in some answers',
    caughtBy: ['older revision'],
    make: () => {
      let answers = 0
      const doubled = (_: string, revision: string) => `"revision":${2 * Number(revision)}`
      return {
        ...unbroken,
        answer: (text) => (answers++ % 10 === 0 ? text.replace(/"revision":(\d+)/, doubled) : text),
      }
    },
  },
  iconsByPath: {
    what: 'takes one path of icons for one picture',
    caughtBy: ['icon of another asset'],
    make: () => ({ ...unbroken, iconFetch: (fetch) => byPath(fetch) }),
  },
  iconsAnyStatus: {
    what: 'takes every answer of a host of icons for a picture',
    caughtBy: ['icon of another asset'],
    make: () => ({
      ...unbroken,
      iconFetch: (fetch) => async (url, init) => {
        const { body, headers } = await fetch(url, init)
        return new Response(body, { headers })
      },
    }),
  },
  iconsAgain: {
    what: 'asks a host of icons again at once',
    plan: manyCarts,
    caughtBy: ['icons without bound'],
    make: () => ({ ...unbroken, iconFetch: (fetch) => (url, init) => fetch(url, init).catch(() => fetch(url, init)) }),
  },
  anyAddress: {
    what: 'does not check the address in the answer to a creation',
    caughtBy: ['damaged address'],
    // A stranger would order at a network with a wrong name, which the service does not know.
    plan: { strangersEveryMs: null },
    make: () => ({
      ...unbroken,
      // A server checks only the characters of an address on a network that it does not know.
      options: (options) => ({
        ...options,
        offer: async (...asked) => JSON.parse(withUnknown(JSON.stringify((await options.offer(...asked)) ?? null))),
      }),
      serviceFetch: (service) => async (input, init) => {
        const answer = await rewriting(service, withKnown)(input, init)
        return new Response(withUnknown(await answer.text()), answer)
      },
      window: (window) => windowWith(window, { fetch: rewriting(window.fetch, withUnknown) }),
      answer: withKnown,
    }),
  },
  verbatim: {
    what: 'reports what the service said as it said it',
    caughtBy: ['forged log line'],
    // Few of the service's words are reported.
    plan: manyCarts,
    make: () => ({
      ...unbroken,
      options: (options) => ({
        ...options,
        onError: (error, context) =>
          options.onError?.(
            new PaywindowError(error.code, withoutEscapes(error.message), { cause: error.cause }),
            context,
          ),
      }),
    }),
  },
} satisfies Record<string, Variant>

/** For each URL, fetches the first URL with the same path, like a cache whose keys are paths. */
function byPath(host: IconFetch): IconFetch {
  const first = new Map<string, string>()
  return (url, init) => {
    const { pathname } = new URL(url)
    if (!first.has(pathname)) first.set(pathname, url)
    return host(first.get(pathname) ?? url, init)
  }
}

function throughDoubles(service: typeof fetch): typeof fetch {
  return async (input, init) => {
    const answer = await service(input, init)
    const text = await answer.text()
    try {
      return new Response(JSON.stringify(JSON.parse(text)), answer)
    } catch {
      // A body that is not valid JSON is passed on unchanged.
      return new Response(text, answer)
    }
  }
}

function retrying(service: typeof fetch): typeof fetch {
  return async (input, init) => {
    const again = () => service(input, init)
    if (init?.method !== 'POST') return again()
    const answer = await again().catch(() => undefined)
    return answer && answer.status < 500 ? answer : again()
  }
}

/** Changes the text that is sent. */
function rewriting(send: typeof fetch, change: (text: string) => string): typeof fetch {
  return (input, init) => send(input, typeof init?.body === 'string' ? { ...init, body: change(init.body) } : init)
}

function withUnknown(json: string): string {
  return json.replaceAll(/("network":")([^"]+")/g, '$1other $2')
}

function withKnown(json: string): string {
  return json.replaceAll('"network":"other ', '"network":"')
}

function withoutEscapes(line: string): string {
  return line.replaceAll(/\\u\{([\da-f]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
}
