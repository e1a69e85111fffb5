/**
 * A text with elements in it. Each value is isolated, so that a Latin name turns no right-to-left sentence around.
 */
import { Fragment, type ReactNode } from 'react'
import { textParts } from '../../locales/format.ts'

/** Puts `values` in the places of their names: `'Only on the {network} network'`. */
export function Say({ text, values }: { text: string; values: Readonly<Record<string, ReactNode>> }) {
  return textParts(text).map((part, index) => {
    const key = `${index}`
    return index % 2 ? <bdi key={key}>{values[part] ?? `{${part}}`}</bdi> : <Fragment key={key}>{part}</Fragment>
  })
}
