/**
 * What is paid and where.
 */
import { PaywindowError } from '../contract/errors.ts'

/** Changing one of these starts over. */
export interface PaywindowTarget {
  /** Where the merchant server is mounted: a path such as `/paywindow`, or an absolute URL. */
  readonly endpoint: string
  /**
   * The merchant's name for the cart. Left out on the page that `handoverUrl` names: it shows what
   * another device handed over.
   */
  readonly reference?: string | undefined
  /** With `network`: skips the choice. Names as in the merchant's offer. */
  readonly asset?: string | undefined
  readonly network?: string | undefined
}

/** As a page without types, or an element, may have it. */
type GivenTarget = { readonly [Name in keyof PaywindowTarget]?: unknown }

/**
 * What a page that leaves some of them out is told: what is needed, and the four as they were
 * given.
 */
export function incomplete(target: GivenTarget): PaywindowError {
  const needed = 'endpoint and reference are needed, asset and network go together'
  return new PaywindowError('invalid_options', `${needed}: ${targetKey(target)}`)
}

/**
 * The same text for the same target, even if a page without types passes values that JSON does not
 * take.
 */
export function targetKey({ endpoint, reference, asset, network }: GivenTarget): string {
  return JSON.stringify([endpoint, reference, asset, network].map(String))
}
