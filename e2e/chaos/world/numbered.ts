/** A service that numbers the orders of each account from 1, so that those of two accounts have the same ids. */
import type { Sandbox, SandboxOrder } from '../../../src/sandbox/index.ts'

/** The same sandbox with numbers in place of its ids. */
export function numbered(sandbox: Sandbox): Sandbox {
  const numbers = new Map<string, string>()
  const ids: string[] = []

  function numberOf(id: string): string {
    if (!numbers.has(id))
      for (const order of sandbox.orders().slice(ids.length)) numbers.set(order.id, String(ids.push(order.id)))
    return numbers.get(id) ?? id
  }

  const idOf = (number: string) => ids[Number(number) - 1] ?? number
  const shown = (order: SandboxOrder): SandboxOrder => ({ ...order, id: numberOf(order.id) })
  const change = (act: (id: string) => SandboxOrder) => (number: string) => shown(act(idOf(number)))

  const numberedFetch: typeof fetch = async (input, init) => {
    const url = String(input).replace(/(\/details\/)(\d+)$/, (_, path: string, number: string) => path + idOf(number))
    const answer = await sandbox.fetch(url, init)
    if (!answer.headers.get('content-type')?.includes('json')) return answer
    const text = (await answer.text()).replaceAll(
      /("id":")([0-9a-f-]{36})"/g,
      (_, name, id) => `${name}${numberOf(id)}"`,
    )
    return new Response(text, answer)
  }

  const { payer } = sandbox
  return {
    ...sandbox,
    fetch: numberedFetch,
    access: { ...sandbox.access, fetch: numberedFetch },
    payer: {
      deposit: (deposit) => {
        const result = payer.deposit(deposit)
        return result.matched ? { ...result, order: shown(result.order) } : result
      },
      confirm: change(payer.confirm),
      acceptLate: change(payer.acceptLate),
      completeRefund: change(payer.completeRefund),
      cancel: change(payer.cancel),
    },
    get faults() {
      return sandbox.faults
    },
    set faults(faults) {
      sandbox.faults = faults
    },
    orders: () => sandbox.orders().map(shown),
    addOrder: (order) => shown(sandbox.addOrder(order)),
  }
}
