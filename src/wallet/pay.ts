/**
 * Pays a checkout from a wallet in the browser. Everything that can be known is read before the
 * wallet is asked to send, and what matters most is read again at the last moment. The wallet is
 * asked once. Only its error 4001 means that nothing was sent. Whether the payment arrived, the
 * service says.
 */
import { address, bytes, codeOf, type Provider, quantity } from './provider.ts'
import { alone, forgetAsked, keepAsked, wasAsked } from './sent.ts'
import {
  balanceCall,
  decimalsCall,
  isTransaction,
  requestOf,
  type TransactionRequest,
  type Transfer,
} from './transfer.ts'

/**
 * What the payer has to do in the wallet now: answer a question, confirm the payment, or nothing
 * more.
 */
export type Step = 'connect' | 'confirm' | 'sent'

/**
 * How it ended. Nothing was sent: `declined`, `pending` (the wallet has an open question),
 * `network`, `funds`, `contract`, `late`, `failed`. `unsure`: the wallet did not say. `sent`: it
 * gave the hash of a transaction. `other`: and that transaction is another.
 */
export type Outcome =
  | 'sent'
  | 'other'
  | 'unsure'
  | 'declined'
  | 'pending'
  | 'network'
  | 'funds'
  | 'contract'
  | 'late'
  | 'failed'

/** What is paid, and what can change meanwhile. */
export interface Payment {
  /** The checkout's. */
  readonly id: string
  /** Names its cart, whatever the quote. */
  readonly cart: string
  readonly toSend: Transfer
  /** Milliseconds the quote has left; zero once another quote or another screen is shown. */
  readonly leftMs: () => number
  readonly onStep: (step: Step) => void
}

/** A payer reads and confirms, and a transaction takes its time to be seen. */
const neededMs = 120_000
/** Questions that no person answers. */
const answerWithinMs = 10_000
/** How often, and how far apart, a transaction is looked up: nodes learn of it late. */
const lookups = { count: 15, everyMs: 2_000 }

/** Ends the attempt: nothing was sent. */
class NotSent extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super(outcome)
    this.outcome = outcome
  }
}

/** Pays with the wallet's first account. Never rejects. */
export async function pay(provider: Provider, payment: Payment): Promise<Outcome> {
  const { id, toSend, onStep } = payment
  try {
    const wallet = reader(provider)
    onStep('connect')
    refuseLate(payment)
    const from = await connect(provider, wallet)
    const request = requestOf(toSend, from)
    refuseLate(payment)
    await switchChain(provider, wallet, request)
    const isContract = await checkAccount(wallet, toSend, request)
    refuseLate(payment)
    const sent = await alone(id, () => sendOnce(provider, wallet, payment, request))
    if (sent === null) return wasAsked(id) ? 'unsure' : 'pending'
    if (!('hash' in sent)) return sent.outcome
    onStep('sent')
    // A contract's own transaction wraps this one.
    return isContract ? 'sent' : await readBack(wallet, sent.hash, request)
  } catch (error) {
    // Whatever failed after the question, it may have been sent.
    if (wasAsked(id)) return 'unsure'
    return error instanceof NotSent ? error.outcome : 'failed'
  }
}

function refuseLate({ leftMs }: Payment): void {
  if (leftMs() < neededMs) throw new NotSent('late')
}

/** Reads from the chain through the wallet. Rejects where no answer comes in time. */
type Read = (method: string, ...params: readonly unknown[]) => Promise<unknown>

function reader(provider: Provider): Read {
  return (method, ...params) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} was not answered`)), answerWithinMs)
      // A wallet may throw in place of rejecting.
      Promise.resolve()
        .then(() => provider.request({ method, params }))
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
}

async function connect(provider: Provider, read: Read): Promise<string> {
  await ask(provider, 'eth_requestAccounts', [])
  return accountOf(read)
}

async function accountOf(read: Read): Promise<string> {
  const accounts = await read('eth_accounts')
  const account = address(Array.isArray(accounts) ? accounts[0] : null)
  if (account === null) throw new NotSent('failed')
  return account
}

/**
 * Asks what the wallet's user answers, for as long as that takes. @throws NotSent, because no
 * answer to this sends anything.
 */
async function ask(provider: Provider, method: string, params: readonly unknown[], otherwise: Outcome = 'failed') {
  try {
    await provider.request({ method, params })
  } catch (error) {
    const code = codeOf(error)
    throw new NotSent(code === 4001 ? 'declined' : code === -32002 ? 'pending' : otherwise)
  }
}

async function switchChain(provider: Provider, read: Read, { chainId }: TransactionRequest): Promise<void> {
  const isOnIt = async () => quantity(await read('eth_chainId')) === quantity(chainId)
  if (await isOnIt()) return
  await ask(provider, 'wallet_switchEthereumChain', [{ chainId }], 'network')
  // Some wallets say that they have switched and have not.
  if (!(await isOnIt())) throw new NotSent('network')
}

/**
 * @returns whether the account is a contract. @throws NotSent where it could not pay this, or not
 *   so that the service sees it.
 */
async function checkAccount(read: Read, { amount, token }: Transfer, request: TransactionRequest): Promise<boolean> {
  const { from, value, data, to } = request
  const code = bytes(await read('eth_getCode', from, 'latest'))
  if (code === null) throw new NotSent('failed')
  // An account of EIP-7702 is none.
  const isContract = !/^0x(?:ef0100.*)?$/.test(code)
  // Coins that a contract sends are a transfer inside of a transaction, which many services do not
  // see.
  if (isContract && token === null) throw new NotSent('contract')
  const call = (data: string) => read('eth_call', { to, data }, 'latest').then(quantityOf)
  if (token !== null) {
    if ((await call(decimalsCall)) !== BigInt(token.decimals)) throw new NotSent('failed')
    if ((await call(balanceCall(from))) < amount) throw new NotSent('funds')
  }
  const coins = quantityOf(await read('eth_getBalance', from, 'latest'))
  if (coins < BigInt(value)) throw new NotSent('funds')
  const gas = quantityOf(await read('eth_estimateGas', { from, to, value, data }))
  if (coins < BigInt(value) + gas * quantityOf(await read('eth_gasPrice'))) throw new NotSent('funds')
  return isContract
}

/** @throws NotSent where it is no number. */
function quantityOf(value: unknown): bigint {
  const read = quantity(value)
  if (read === null) throw new NotSent('failed')
  return read
}

/** Asks the wallet to send, with nothing between the last checks and the question. */
async function sendOnce(
  provider: Provider,
  read: Read,
  payment: Payment,
  request: TransactionRequest,
): Promise<{ readonly hash: string } | { readonly outcome: Outcome }> {
  const { id, cart, toSend, onStep } = payment
  const account = await accountOf(read)
  const chainId = quantity(await read('eth_chainId'))
  if (account !== request.from || chainId !== toSend.chainId) throw new NotSent('failed')
  refuseLate(payment)
  if (wasAsked(id)) return { outcome: 'unsure' }
  if (!keepAsked(id, cart)) throw new NotSent('failed')
  onStep('confirm')
  try {
    const hash = bytes(await provider.request({ method: 'eth_sendTransaction', params: [request] }))
    return hash?.length === 66 ? { hash } : { outcome: 'unsure' }
  } catch (error) {
    if (codeOf(error) !== 4001) return { outcome: 'unsure' }
    forgetAsked(id, cart)
    return { outcome: 'declined' }
  }
}

/**
 * Compares the transaction with what was asked for. As long as no node shows it, the wallet's word
 * counts.
 */
async function readBack(read: Read, hash: string, request: TransactionRequest): Promise<Outcome> {
  for (let count = 0; count < lookups.count; count++) {
    const shown = await read('eth_getTransactionByHash', hash).catch(() => null)
    if (shown !== null && shown !== undefined) return isTransaction(shown, request) ? 'sent' : 'other'
    await new Promise((resolve) => setTimeout(resolve, lookups.everyMs))
  }
  return 'sent'
}
