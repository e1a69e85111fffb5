/**
 * Filling in of texts. Components that set a value in bold or isolate its direction use the parts.
 */

/**
 * Cuts `'Send {amount} now'` into words and names, which take turns: every second part is a name.
 */
export function textParts(text: string): readonly string[] {
  return text.split(/\{(\w+)\}/)
}

/**
 * Fills in every `{name}`. A name without a value stays as it is, so that a wrong override can be
 * seen.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return textParts(text)
    .map((part, index) => (index % 2 ? (values[part] ?? `{${part}}`) : part))
    .join('')
}
