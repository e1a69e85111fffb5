/** Published addresses and their forms. For tests; facts are copied, code is not. */
import type { NetworkKind } from '../../../contract/networks/table.ts'

/** Addresses of one network whose validity others have stated, with the source. */
export interface Vectors {
  /** `ethereum` stands for all networks of its kind. */
  readonly network: NetworkKind
  readonly sources: readonly Source[]
}

interface Source {
  /** The source of the addresses. It says where this library disagrees. */
  readonly source: string
  /** Whether the addresses were made for these tests, so that they do not count as independent. */
  readonly isOwn?: true
  readonly main?: readonly string[]
  readonly test?: readonly string[]
  /** Valid; the form does not show the chain. */
  readonly any?: readonly string[]
  readonly invalid?: readonly string[]
}
