/** Reads the service's JSON without losing a digit of a number. */

/**
 * Parses JSON with every number as its source text: `{"amount":0.10}` becomes `{ amount: '0.10' }`.
 * A double holds about 16 digits, and an amount may have 18 decimals.
 *
 * @throws SyntaxError when it is not JSON, RangeError when it is nested too deeply.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (...step: unknown[]) => {
    const [, value, context] = step
    return typeof value === 'number' ? sourceOf(context) : value
  })
}

/** Whether this runtime hands a reviver the text of a number (Node 21, Chrome 114 and later). */
export function readsExactNumbers(): boolean {
  try {
    return parseExactJson('0.10') === '0.10'
  } catch {
    return false
  }
}

function sourceOf(context: unknown): string {
  if (typeof context === 'object' && context !== null && 'source' in context && typeof context.source === 'string') {
    return context.source
  }
  throw new TypeError('This runtime does not tell how a JSON number was written')
}
