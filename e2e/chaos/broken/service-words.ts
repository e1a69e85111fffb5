/** Mistakes about what the service says, made on purpose: its addresses and its words are believed. */
import { PaywindowError } from '../../../src/contract/errors.ts'
import { unbroken } from '../world/breakage.ts'
import type { Variant } from './broken.ts'
import { windowWith } from './browser.ts'

/** Variants that believe what the service says. */
export const serviceWordsVariants = {
  anyAddress: {
    what: 'does not check the address in the answer to a creation',
    caughtBy: ['damaged address'],
    // Strangers order what carts can be paid with, at a service that does not know the names.
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
    plan: { carts: 120, spanMs: 1_080_000 },
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
