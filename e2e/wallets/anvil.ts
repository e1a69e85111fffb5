/** An Ethereum node on this machine, and what a wallet in a browser makes of it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../scripts/paths.ts'
import type { Provider } from '../../src/wallet/provider.ts'

/** A node with unlocked accounts. */
export interface Node {
  /** Asks it by JSON-RPC. Rejects with its error, whose `code` it keeps. */
  readonly ask: (method: string, ...params: readonly unknown[]) => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** Starts a node of chain 31337 on a free port. */
export async function startNode(): Promise<Node> {
  const program = join(root, 'e2e/node_modules/@foundry-rs/anvil/bin.mjs')
  const child = spawn(process.execPath, [program, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let address: string | undefined
  for await (const line of createInterface(child.stdout)) {
    address = /Listening on ([\d.:]+)/.exec(line)?.[1]
    if (address) break
  }
  if (!address) throw new Error('anvil ended before it listened')
  child.stdout.resume()
  const ask: Node['ask'] = async (method, ...params) => {
    const response = await fetch(`http://${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error }: { result?: unknown; error?: { code: number; message: string } } = JSON.parse(
      await response.text(),
    )
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    return result
  }
  return {
    ask,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/**
 * A wallet with one account of the node. @param changes - What it does to a transaction before the
 * node gets it.
 */
export function walletOf({ ask }: Node, account: string, changes: object = {}): Provider {
  return {
    request: async ({ method, params = [] }) => {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [account]
      if (method === 'eth_sendTransaction') return ask(method, { ...Object(params[0]), ...changes })
      return ask(method, ...params)
    },
  }
}

const push = (...bytes: readonly number[]) => [0x5f + bytes.length, ...bytes]
const selector = (digits: string) => push(...Buffer.from(digits, 'hex'))
const [add, sub, lt, eq, shr, caller, load, read, write, jumpIf, here, mstore] = [
  0x01, 0x03, 0x10, 0x14, 0x1c, 0x33, 0x35, 0x54, 0x55, 0x57, 0x5b, 0x52,
] as const
const [dup1, dup2, dup3, swap1] = [0x80, 0x81, 0x82, 0x90] as const
const giveTop = [...push(0), mstore, ...push(32), ...push(0), 0xf3]
const revert = [...push(0), dup1, 0xfd]

/**
 * The code of a token: `decimals()` is 6, `balanceOf(address)`, and `transfer(address,uint256)`,
 * which fails where the sender has too little. An account's balance is in the slot of its address.
 */
export function tokenCode(): string {
  const parts = [
    { selector: '313ce567', body: [...push(6), ...giveTop] },
    { selector: '70a08231', body: [...push(4), load, read, ...giveTop] },
    {
      selector: 'a9059cbb',
      body: [
        ...[...push(0x24), load, caller, read], // amount, balance
        ...[dup2, dup2, lt, ...push(0xff), jumpIf], // fails: 0xff is no place to jump to
        ...[dup2, swap1, sub, caller, write], // amount
        ...[...push(4), load, dup1, read, dup3, add, swap1, write], // the recipient's balance
        ...[...push(1), ...giveTop],
      ],
    },
  ]
  const code = [...push(0), load, ...push(0xe0), shr]
  const branch = (digits: string, to: number) => [dup1, ...selector(digits), eq, ...push(to), jumpIf]
  let at = code.length + parts.length * branch('00000000', 0).length + revert.length
  for (const { selector: digits, body } of parts) {
    code.push(...branch(digits, at))
    at += 1 + body.length
  }
  code.push(...revert, ...parts.flatMap(({ body }) => [here, ...body]))
  return `0x${Buffer.from(code).toString('hex')}`
}
