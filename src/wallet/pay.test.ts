import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'
import { pay, type Step } from './pay.ts'
import { forgetAsked, keepAsked, wasAsked } from './sent.ts'
import { transferOf } from './transfer.ts'

const account = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const recipient = '0x52908400098527886e0f7030069857d2e4169ee7'
const contract = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const hash = `0x${'ab'.repeat(32)}`

const ether = checkoutFixture({
  amount: '0.012345678901234567',
  asset: { symbol: 'ETH', name: 'Ether' },
  network: 'base',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  evm: { chainId: 8453, decimals: 18 },
})
const dollars = { ...ether, amount: '49.93', evm: { chainId: 8453, decimals: 6, contract } }

type Params = readonly unknown[]
type Answers = Readonly<Record<string, unknown | ((params: Params, count: number) => unknown)>>

/**
 * A wallet that answers as an honest one does, but for what a test changes. Functions may throw.
 */
function walletWith(changes: Answers = {}) {
  const asked: { method: string; params: Params }[] = []
  const answers: Answers = {
    eth_requestAccounts: [account],
    eth_accounts: [account],
    eth_chainId: '0x2105',
    eth_getCode: '0x',
    eth_getBalance: '0x8ac7230489e80000',
    eth_estimateGas: '0x5208',
    eth_gasPrice: '0x3b9aca00',
    eth_call: ([call]: Params) => `0x${(isDecimals(call) ? 6n : 100_000_000n).toString(16).padStart(64, '0')}`,
    eth_sendTransaction: hash,
    eth_getTransactionByHash: () => {
      const sent = asked.find(({ method }) => method === 'eth_sendTransaction')?.params[0]
      return { ...(sent as object), input: (sent as { data: string }).data, hash }
    },
    ...changes,
  }
  const request = async ({ method, params = [] }: { method: string; params?: Params }) => {
    asked.push({ method, params })
    const answer = answers[method]
    const count = asked.filter((each) => each.method === method).length
    return typeof answer === 'function' ? answer(params, count) : answer
  }
  const requests = () => asked.filter(({ method }) => method === 'eth_sendTransaction').map(({ params }) => params)
  return { provider: { request }, requests, asked }
}

const isDecimals = (call: unknown) => (call as { data: string }).data === '0x313ce567'
const throwing = (name: string) =>
  Object.defineProperty({}, name, {
    get: () => {
      throw new Error('no')
    },
  })
const error = (code: number) => () => {
  throw Object.assign(new Error('no'), { code })
}

const kept = new Map<string, string>()
let count = 0
/** Pays with a wallet; time passes by itself. */
async function paid(changes: Answers = {}, checkout: Checkout = ether, leftMs: () => number = () => 600_000) {
  const wallet = walletWith(changes)
  const transfer = transferOf(checkout)
  if (!transfer) throw new Error('it cannot be paid from a wallet')
  const steps: Step[] = []
  count += 1
  const outcome = pay(wallet.provider, {
    id: `checkout-${count}`,
    cart: `cart${count}`,
    toSend: transfer,
    leftMs,
    onStep: (step) => steps.push(step),
  })
  await vi.runAllTimersAsync()
  return { ...wallet, steps, outcome: await outcome }
}

beforeEach(() => {
  vi.useFakeTimers()
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('what the wallet is asked to send', () => {
  it('is the exact amount of the coin, without data', async () => {
    const { requests, outcome, steps } = await paid()
    expect(requests()).toEqual([
      [{ chainId: '0x2105', from: account, to: recipient, value: '0x2bdc545d6b4b87', data: '0x' }],
    ])
    expect([steps, outcome]).toEqual([['connect', 'confirm', 'sent'], 'sent'])
    expect(BigInt('0x2bdc545d6b4b87')).toBe(12_345_678_901_234_567n)
  })

  it('is a transfer of the token, in the units of its contract', async () => {
    const { requests, outcome } = await paid({}, dollars)
    const data = `0xa9059cbb${recipient.slice(2).padStart(64, '0')}${49_930_000n.toString(16).padStart(64, '0')}`
    expect(requests()).toEqual([[{ chainId: '0x2105', from: account, to: contract, value: '0x0', data }]])
    expect(outcome).toBe('sent')
  })

  it.each<[string, Partial<Checkout>]>([
    ['an amount that is finer than the token', { amount: '49.9300001', evm: { chainId: 1, decimals: 6, contract } }],
    ['an address of another chain', { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }],
    ['a tag, which no transfer carries', { tag: '7' }],
    ['decimals that no token has', { evm: { chainId: 1, decimals: 400, contract } }],
  ])('is nothing for %s', (_, changes) => expect(transferOf({ ...ether, ...changes })).toBeNull())
})

describe('nothing is sent', () => {
  it.each<[string, string, Answers, Checkout?]>([
    ['its user refuses to connect', 'declined', { eth_requestAccounts: error(4001) }],
    ['it has an open question', 'pending', { eth_requestAccounts: error(-32002) }],
    ['it throws something that is no error', 'failed', { eth_requestAccounts: () => Promise.reject(undefined) }],
    ['it has no account', 'failed', { eth_accounts: [] }],
    ['its account is no address', 'failed', { eth_accounts: ['vitalik.eth'] }],
    ['it stays on another chain', 'network', { eth_chainId: '0x1' }],
    ['it does not know the chain', 'network', { eth_chainId: '0x1', wallet_switchEthereumChain: error(4902) }],
    ['its user refuses to switch', 'declined', { eth_chainId: '0x1', wallet_switchEthereumChain: error(4001) }],
    ['it names the chain as a number', 'network', { eth_chainId: 8453 }],
    ['the account is a contract', 'contract', { eth_getCode: '0x6080' }],
    ['nobody says what the account is', 'failed', { eth_getCode: null }],
    ['the account has too few coins', 'funds', { eth_getBalance: '0x1' }],
    ['the account has nothing for the fee', 'funds', { eth_getBalance: '0x2bdc545d6b4b87' }],
    ['the balance is no number', 'failed', { eth_getBalance: '' }],
    ['the transaction would fail', 'failed', { eth_estimateGas: error(3) }],
    ['nobody answers', 'failed', { eth_gasPrice: () => new Promise(() => undefined) }],
    ['the token counts other decimals', 'failed', { eth_call: `0x${'0'.repeat(62)}12` }, dollars],
    ['the contract is none', 'failed', { eth_call: '0x' }, dollars],
    [
      'the account has too few tokens',
      'funds',
      { eth_call: ([call]: Params) => (isDecimals(call) ? '0x6' : '0x1') },
      dollars,
    ],
    [
      'another account is chosen meanwhile',
      'failed',
      { eth_accounts: (_: Params, nth: number) => [nth < 2 ? account : recipient] },
    ],
    [
      'another chain is chosen meanwhile',
      'failed',
      { eth_chainId: (_: Params, nth: number) => (nth < 2 ? '0x2105' : '0x1') },
    ],
  ])('where %s', async (_, outcome, changes, checkout = ether) => {
    const result = await paid(changes, checkout)
    expect([result.outcome, result.requests()]).toEqual([outcome, []])
    expect(result.steps).not.toContain('confirm')
  })

  it('where the quote is about to end, or is no longer shown', async () => {
    for (const leftMs of [119_000, 0, -1]) {
      const { outcome, requests } = await paid({}, ether, () => leftMs)
      expect([outcome, requests()]).toEqual(['late', []])
    }
  })
})

it('an account that delegates as EIP-7702 says may send, and a contract may send a token', async () => {
  expect((await paid({ eth_getCode: `0xef0100${'12'.repeat(20)}` })).outcome).toBe('sent')
  expect((await paid({ eth_getCode: '0x6080' }, dollars)).outcome).toBe('sent')
})

it('a switch of the chain counts once the wallet says that it is there', async () => {
  const { outcome, asked } = await paid({ eth_chainId: (_: Params, nth: number) => (nth < 2 ? '0x1' : '0x2105') })
  expect(outcome).toBe('sent')
  expect(asked.find(({ method }) => method === 'wallet_switchEthereumChain')?.params).toEqual([{ chainId: '0x2105' }])
})

describe('a wallet is asked to send once', () => {
  it.each<[string, Answers]>([
    ['fails with an error of its own', { eth_sendTransaction: error(-32603) }],
    [
      'wraps the refusal of its user',
      { eth_sendTransaction: () => Promise.reject({ code: -32603, data: { originalError: { code: 4001 } } }) },
    ],
    ['says the code as text', { eth_sendTransaction: () => Promise.reject({ code: '4001' }) }],
    ['answers nothing', { eth_sendTransaction: null }],
    ['answers something that is no hash', { eth_sendTransaction: '0x12' }],
    ['answers with the id of a batch', { eth_sendTransaction: { id: hash } }],
    ['throws an error that throws', { eth_sendTransaction: () => Promise.reject(throwing('code')) }],
    ['shows a transaction that throws', { eth_getTransactionByHash: throwing('chainId') }],
  ])('and may have sent where it %s', async (_, changes) => {
    const wallet = await paid(changes)
    expect(wallet.outcome).toBe('unsure')
    count -= 1 // the same checkout again
    const again = await paid()
    expect([again.outcome, again.requests()]).toEqual(['unsure', []])
  })

  it('and again after its user has refused', async () => {
    expect((await paid({ eth_sendTransaction: error(4001) })).outcome).toBe('declined')
    count -= 1
    expect((await paid()).outcome).toBe('sent')
  })
})

it('a storage that is cleared while the question is open does not forget it', async () => {
  const clear = (code: unknown) => () => {
    kept.clear()
    return Promise.reject(code)
  }
  for (const answer of [clear({ code: -32603 }), clear(throwing('code'))]) {
    expect((await paid({ eth_sendTransaction: answer })).outcome).toBe('unsure')
    count -= 1
    const again = await paid()
    expect([again.outcome, again.requests()]).toEqual(['unsure', []])
  }
})

it('a refused quote leaves the mark of the cart to another one', () => {
  keepAsked('one', 'cart')
  keepAsked('two', 'cart')
  forgetAsked('one', 'cart')
  expect(['one', 'two', 'cart'].map(wasAsked)).toEqual([false, true, true])
})

it('a page that may keep nothing asks no wallet: nobody could know it after a reload', async () => {
  for (const storage of [undefined, { getItem: () => null, setItem: () => undefined }]) {
    vi.stubGlobal('localStorage', storage)
    const { outcome, requests } = await paid()
    expect([outcome, requests()]).toEqual(['failed', []])
  }
})

it('what a contract sends is wrapped, so nothing is compared', async () => {
  const wrapped = { chainId: '0x2105', from: recipient, to: account, value: '0x0', input: '0x1fad948c', hash }
  const { outcome } = await paid({ eth_getCode: '0x6080', eth_getTransactionByHash: wrapped }, dollars)
  expect(outcome).toBe('sent')
})

describe('the transaction is read back', () => {
  const shown = { chainId: '0x2105', from: account, to: recipient, value: '0x2bdc545d6b4b87', input: '0x', hash }
  it.each<[string, object]>([
    ['another recipient', { ...shown, to: contract }],
    ['another amount', { ...shown, value: '0x2bdc545d6b4b88' }],
    ['data', { ...shown, input: '0xa9059cbb' }],
    ['another chain', { ...shown, chainId: '0x1' }],
    ['no recipient, as a new contract has', { ...shown, to: null }],
  ])('and is another one with %s', async (_, transaction) => {
    expect((await paid({ eth_getTransactionByHash: transaction })).outcome).toBe('other')
  })

  it('until a node shows it, and the wallet’s word counts where none does', async () => {
    const late = await paid({ eth_getTransactionByHash: (_: Params, nth: number) => (nth < 4 ? null : shown) })
    expect(late.outcome).toBe('sent')
    const never = await paid({ eth_getTransactionByHash: error(-32601) })
    expect(never.outcome).toBe('sent')
  })
})
