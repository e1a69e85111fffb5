/**
 * A text with elements in it. Each value is isolated, so that a Latin name cannot reorder a
 * right-to-left sentence.
 */
import type { ReactNode } from 'react'
import { textParts } from '../../locales/format.ts'

/** Puts `values` in place of their names, as in `'Use only the {network} network'`. */
export function Say({ text, values }: { text: string; values: Readonly<Record<string, ReactNode>> }) {
  return textParts(text).map((part, at) => {
    const value = at % 2 ? (values[part] ?? `{${part}}`) : part
    const Place = at % 2 ? 'bdi' : 'span'
    // Another text gets another element, see Text.tsx.
    const key = `${at} ${typeof value === 'string' ? value : ''}`
    return value === '' ? null : <Place key={key}>{value}</Place>
  })
}
