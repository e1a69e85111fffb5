/**
 * What is paid and where.
 */

/** Changing one of these starts over. */
export interface PaywindowTarget {
  /** Where the merchant server is mounted: a path such as `/paywindow`, or an absolute URL. */
  readonly endpoint: string
  /** The merchant's name for the cart. Left out on the page that `handoverUrl` names: it shows what another device handed over. */
  readonly reference?: string | undefined
  /** With `network`: skips the choice. Names as in the merchant's offer. */
  readonly asset?: string | undefined
  readonly network?: string | undefined
}

/** What a page that leaves some of them out is told. */
export const needed = 'endpoint and reference are needed, asset and network go together'

/** The same text for the same target, even if a page without types passes values that JSON does not take. */
export function targetKey({ endpoint, reference, asset, network }: PaywindowTarget): string {
  return JSON.stringify([endpoint, reference, asset, network].map(String))
}
