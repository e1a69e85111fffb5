/** The external wallet addresses of a sandbox. */
import { isPlainAddress } from '../contract/checkout.ts'
import type { JsonRecord } from '../contract/parse.ts'
import { timestamp } from './clock.ts'
import type { SandboxSettings } from './options.ts'
import { randomText, randomUuid } from './random.ts'
import { Refusal, requiredText, tradedAsset } from './reading.ts'

/**
 * A registered address.
 *
 * @example
 * ```ts
 * const names = createSandbox().wallets().map(({ name }: SandboxWallet) => name)
 * names // => []
 * ```
 */
export interface SandboxWallet {
  readonly id: string
  readonly subAccountId: string
  readonly name: string
  readonly address: string
  readonly asset: string
  readonly network: string
  readonly createdAt: string
}

/** Registers and deletes wallets. Refuses with 400, the reference's only error for wallets. */
export interface Wallets {
  register(body: JsonRecord, subAccountId: string): SandboxWallet
  remove(id: string, subAccountId: string): void
  all(): readonly SandboxWallet[]
}

/** @param nowMs - The sandbox's time. */
export function createWallets(settings: SandboxSettings, nowMs: () => number): Wallets {
  const wallets = new Map<string, SandboxWallet>()
  return {
    all: () => [...wallets.values()],
    register: (body, subAccountId) => {
      const name = requiredText(body, 'name')
      const address = requiredText(body, 'address')
      const network = requiredText(body, 'network')
      const asset = tradedAsset(requiredText(body, 'asset'), network, 'asset').symbol
      if (!isPlainAddress(address)) throw new Refusal(400, 'address is not a valid address')
      const same = [...wallets.values()].find(
        (each) => each.subAccountId === subAccountId && each.address === address && each.asset === asset,
      )
      if (same) throw new Refusal(400, 'The address is registered already')
      const createdAt = timestamp(nowMs(), randomText(settings.random, '0123456789', settings.finerDigits))
      const wallet = { id: randomUuid(settings.random), subAccountId, name, address, asset, network, createdAt }
      wallets.set(wallet.id, wallet)
      return wallet
    },
    remove: (id, subAccountId) => {
      if (wallets.get(id)?.subAccountId !== subAccountId) throw new Refusal(400, 'Wallet address not found')
      wallets.delete(id)
    },
  }
}
