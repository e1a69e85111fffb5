/** Checkouts that are chosen by what the store has no list of: all are read for that, newest first. */
import type { MerchantCheckout, MerchantCheckouts } from '../server/views/merchant-view.ts'

/** `late`: the deposit was first seen after its quote had ended. `paid-twice`: another checkout of its cart is paid, too. */
export const choices = ['paid-twice', 'late'] as const
type Choice = (typeof choices)[number]

/** The most that a store gives at once. */
const pageSize = 1_000

type Checkouts = Pick<MerchantCheckouts, 'list'>

/** Whether it is one of these, and not one of the store's own lists. */
export function isChoice(only: string | undefined): only is Choice {
  return choices.some((each) => each === only)
}

/** At most `limit`, newest first. @param before - The id of the last one of the page before. */
export async function chosenCheckouts(
  checkouts: Checkouts,
  kind: Choice,
  { before, limit }: { readonly before?: string; readonly limit: number },
): Promise<MerchantCheckout[]> {
  const isChosen = kind === 'late' ? isLate : await isPaidTwice(checkouts)
  const chosen: MerchantCheckout[] = []
  for await (const checkout of allOf(checkouts, before)) {
    if (isChosen(checkout)) chosen.push(checkout)
    if (chosen.length === limit) break
  }
  return chosen
}

function isLate({ deposit, history }: MerchantCheckout): boolean {
  const seen = history.find(({ phase }) => phase === 'seen' || phase === 'paid')
  return deposit !== null && seen !== undefined && Date.parse(seen.at) > Date.parse(deposit.expiresAt)
}

async function isPaidTwice(checkouts: Checkouts): Promise<(checkout: MerchantCheckout) => boolean> {
  const paid = new Map<string, number>()
  for await (const { phase, reference } of allOf(checkouts))
    if (isPaid(phase)) paid.set(reference, (paid.get(reference) ?? 0) + 1)
  return ({ phase, reference }) => isPaid(phase) && (paid.get(reference) ?? 0) > 1
}

/** Of the asked amount or another. */
function isPaid(phase: MerchantCheckout['phase']): boolean {
  return phase === 'paid' || phase === 'paid_less' || phase === 'paid_more'
}

async function* allOf(checkouts: Checkouts, from?: string): AsyncGenerator<MerchantCheckout> {
  let before = from
  for (;;) {
    const page = await checkouts.list({ limit: pageSize, ...(before !== undefined && { before }) })
    yield* page
    before = page.at(-1)?.id
    if (before === undefined) return
  }
}
