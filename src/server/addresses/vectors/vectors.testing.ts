/** Addresses that others published, and what they are. For tests; facts are copied, code is not. */
import type { NetworkKind } from '../../../contract/networks/table.ts'

/** Addresses of one network whose validity others have stated, with the source. */
export interface Vectors {
  /** Those of `ethereum` are for all networks of its kind. */
  readonly network: NetworkKind
  readonly sources: readonly Source[]
}

interface Source {
  /** Where the addresses stand. Where this library and they disagree, it says so. */
  readonly source: string
  /**
   * Whether the addresses were made for these tests, which counts for nothing where independent
   * ones are asked for.
   */
  readonly isOwn?: true
  readonly main?: readonly string[]
  readonly test?: readonly string[]
  /** Valid; the form does not show the chain. */
  readonly any?: readonly string[]
  readonly invalid?: readonly string[]
}
