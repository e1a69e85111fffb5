/** What the widgets that were released need of answers. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** The answers of a merchant server. */
export type AnswerKind = 'offer' | 'choice' | 'checkout' | 'keyedCheckout' | 'handover' | 'error'

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

// A tag may be null.
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false })
ajv.addSchema({ $id: 'v1', ...(read('./v1/answers.schema.json') as object) })

/** An answer of each kind, as the first server gave it. */
export const answersOfV1 = read('./v1/answers.json') as Readonly<Record<AnswerKind, unknown>>

/**
 * What keeps the first widget from reading an answer: nothing, or each place with what it must be.
 */
export function unreadableForV1(kind: AnswerKind, answer: unknown): readonly string[] {
  const validate = ajv.getSchema(`v1#/$defs/${kind}`)
  if (!validate) throw new Error(`the schema has no ${kind}`)
  return validate(answer)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
