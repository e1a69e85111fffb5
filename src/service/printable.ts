/** Words of others inside our own: in a log they must not look like a line of their own, or turn the rest of it around. */

const maxLength = 4_000

/** One line that can be printed: whatever breaks a line, steers a terminal, turns or hides text is written out as `\u{…}`. */
export function printable(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (it) => `\\u{${it.codePointAt(0)?.toString(16)}}`)
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line
}
