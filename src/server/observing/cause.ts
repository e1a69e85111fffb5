/** What is said of an error's cause. */
import type { PaywindowError } from '../../contract/errors.ts'

/** The deepest cause with a code says why: `fetch failed` is caused by `ECONNREFUSED`. */
const deepest = 5

/** What is ours to say of a cause: `TypeError`, `ECONNREFUSED`. Its words are others' and may hold secrets. */
export function causeOf({ cause }: Error): { readonly causeName?: string; readonly causeCode?: string } {
  if (!(cause instanceof Error)) return {}
  const causeCode = codesIn(cause, deepest).at(-1)
  return { causeName: String(cause.name), ...(causeCode !== undefined && { causeCode }) }
}

/** Where the merchant's own code threw, without its words: `readCart (/shop/carts.js:12:9)`. */
export function placeOf({ code, cause }: PaywindowError): { readonly causeAt?: string } {
  if (code !== 'callback_failed' || !(cause instanceof Error)) return {}
  const [stack, message] = [String(cause.stack), String(cause.message)]
  // Lines of the message may look like places: those of the engine follow it.
  const [, causeAt] = /\n\s+at (.{1,500})/.exec(stack.slice(stack.indexOf(message) + message.length)) ?? []
  return causeAt === undefined ? {} : { causeAt }
}

function codesIn(error: Error, left: number): readonly string[] {
  // The number of a DOMException is of an old list that nobody knows by heart: 23 is a TimeoutError.
  const code: unknown = 'code' in error && !(error instanceof DOMException) ? error.code : undefined
  const own = isCode(code) ? [String(code)] : []
  return error.cause instanceof Error && left > 1 ? [...own, ...codesIn(error.cause, left - 1)] : own
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'number' || (typeof code === 'string' && code.length <= 100)
}
