/**
 * Texts from outside, as far as they are texts: a page or a file that brings something else must not take the panel away.
 */
import type { Texts } from './en.ts'

export function textsIn(given: unknown): Partial<Texts> {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, text]) => typeof text === 'string'))
}
