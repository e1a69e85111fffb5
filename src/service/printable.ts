/** Makes text of others safe to print: in a log it must not look like a separate line or reverse the direction of the rest. */

const maxLength = 4_000

/** One printable line: characters that break lines, control terminals, change direction or hide text are written as `\u{…}`. */
export function printable(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (it) => `\\u{${it.codePointAt(0)?.toString(16)}}`)
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line
}
