/** The checkouts that browsers have been shown so far and may rely on. */
import type { Checkout } from '../../../src/contract/checkout.ts'
import type { World } from '../world/types.ts'

/** The parts of a checkout that a browser was shown and that must not change. */
export interface AnsweredCheckout {
  readonly id: string
  readonly key: string
  readonly reference: string
  readonly address: string
  readonly tag: string | null
}

interface Answered {
  note(checkout: Checkout, key: string): void
  /** Checks that a renewed checkout has only one successor, whoever renews it. */
  checkSuccessor(id: string, successor: string): void
  has(id: string, key: string): boolean
  list(): readonly AnsweredCheckout[]
  /** Forgets the checkouts that a restore has lost. @returns How many there were. */
  restored(isKnown: (answered: AnsweredCheckout) => boolean): number
}

/** Creates it with no checkouts. */
export function createAnswered({ time, findings, oracle, audit }: World): Answered {
  const answered = new Map<string, AnsweredCheckout>()
  const successors = new Map<string, string>()

  function note({ id, reference, address, tag, expiresInMs, phase }: Checkout, key: string): void {
    const before = answered.get(id)
    if (!before) {
      findings.count('checkouts shown to a browser')
      const ended = audit.carts.get(reference)?.entries.some((entry) => entry.id === id && entry.endedAtMs !== null)
      const post = oracle.at(address, tag)?.post
      if (expiresInMs <= 0 && phase === 'waiting' && !ended && post && time.nowMs() - post.sentMs < 1_000_000)
        findings.count('first seen when over')
      answered.set(id, { id, key, reference, address, tag })
    } else if (before.key !== key || before.address !== address || before.tag !== tag)
      findings.violate('lost', `checkout ${id} is another than it was`)
  }

  function checkSuccessor(id: string, successor: string): void {
    if ((successors.get(id) ?? successor) !== successor)
      findings.violate('second payable', `checkout ${id} was renewed twice: ${successors.get(id)} and ${successor}`)
    successors.set(id, successor)
  }

  return {
    note,
    checkSuccessor,
    has: (id, key) => answered.get(id)?.key === key,
    list: () => [...answered.values()],
    restored: (isKnown) => {
      const lost = [...answered.values()].filter((each) => !isKnown(each))
      for (const { id } of lost) answered.delete(id)
      successors.clear()
      return lost.length
    },
  }
}
