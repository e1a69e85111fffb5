const maxLength = 4_000

/**
 * Makes foreign text safe for a log, as one line. Characters that break lines, control terminals,
 * change the direction of text or are invisible become `\u{…}`.
 */
export function printable(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (it) => `\\u{${it.codePointAt(0)?.toString(16)}}`)
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line
}
