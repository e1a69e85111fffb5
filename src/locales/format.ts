/**
 * Filling in of texts. Components that set a value in bold or isolate its direction use the parts.
 */

/** A piece of a text: fixed words, or the name of what is filled in. */
type TextPart = { readonly words: string } | { readonly name: string }

/** Cuts `'Send {amount} now'` into its words and names. */
export function textParts(text: string): readonly TextPart[] {
  return text.split(/(\{\w+\})/).flatMap((part): TextPart[] => {
    if (part === '') return []
    return /^\{\w+\}$/.test(part) ? [{ name: part.slice(1, -1) }] : [{ words: part }]
  })
}

/** Fills in every `{name}`. A name without a value stays as it is, so that a wrong override can be seen. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return textParts(text)
    .map((part) => ('words' in part ? part.words : (values[part.name] ?? `{${part.name}}`)))
    .join('')
}
