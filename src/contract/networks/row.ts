/** What is known of a network. */

/** The names of the extra number or text that tells deposits apart. */
export const tagWords = ['tag', 'memo', 'comment', 'destinationTag'] as const

/** What a network calls the text that an address needs besides itself. */
export type TagWord = (typeof tagWords)[number]

/** One network, however it is spelled. */
export interface NetworkRow {
  /**
   * For the screen, with the token standard where exchanges ask for it: a deposit over another
   * network is lost.
   */
  readonly name: string
  /** As exchanges write it where a withdrawal is made. */
  readonly exchangeName: string
  /**
   * How services and exchanges write it: lower case, without separators, a space between two. Its
   * kind and its name are such as well.
   */
  readonly spellings: string
  /** Digits after the point, of the network's own coin and of what is issued on it, by symbol. */
  readonly decimals: Readonly<Record<string, number>>
  /**
   * The names of the network's own coin where it has several, the present one first: coins are
   * renamed.
   */
  readonly coins?: readonly string[]
  /** Of EIP-155, for networks like Ethereum. */
  readonly chainId?: number
  /**
   * Within how many minutes exchanges usually count a deposit, 5 or more: the upper end of what
   * they publish (Kraken, "Cryptocurrency deposit processing times").
   */
  readonly usualMinutes?: number
  readonly tagWord?: TagWord
  /** Whether deposits are told apart by the tag, so that one without it is lost. */
  readonly needsTag?: boolean
}
