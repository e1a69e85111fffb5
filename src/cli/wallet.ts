/** `paywindow wallet add` and `wallet remove`: addresses that a sub-account withdraws to. */
import { isPlainAddress } from '../contract/checkout.ts'
import { assetDecimals, knownNetwork, sameNetwork } from '../contract/networks/table.ts'
import { destinationOf } from '../server/addresses/destination.ts'
import type { Wallet, WalletRequest } from '../service/types.ts'
import { connect } from './connect.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { fieldLines, jsonText, plainLine } from './text.ts'
import type { World } from './world.ts'

/** Registers an address and prints it as the service has registered it. */
export async function addWallet(
  { json, ...request }: WalletRequest & { readonly json?: boolean },
  world: World,
): Promise<void> {
  const client = connect(world)
  checkWallet(request, world)
  const wallet = await client.registerWallet(request)
  world.stdout(json ? jsonText(wallet) : describe(wallet))
  const difference = differenceOf(request, wallet)
  if (difference !== undefined) {
    throw new CommandFailure(
      exitCodes.failed,
      `The service registered a different ${difference} than requested. ` +
        `Remove it if that is wrong: npx paywindow wallet remove ${plainLine(wallet.id)}`,
    )
  }
}

/** Deletes an address. */
export async function removeWallet(id: string, world: World): Promise<void> {
  const message = await connect(world).deleteWallet(id)
  world.stdout(`Removed ${plainLine(id)}${message === null ? '' : `: ${plainLine(message)}`}\n`)
}

/** Refuses a text that is no address, and warns of likely mistakes: a wrong address loses money. */
function checkWallet({ asset, network, address }: WalletRequest, { stderr }: World): void {
  if (!isPlainAddress(address)) {
    throw new CommandFailure(
      exitCodes.usage,
      'The address has spaces, invisible characters or other characters that no address can contain.',
    )
  }
  const known = knownNetwork(network)
  if (known && assetDecimals(asset, network) === undefined) {
    stderr(`paywindow: warning: ${asset} is not known to be on the network ${network}.\n`)
  }
  if (known?.needsTag) {
    stderr(`paywindow: warning: deposits on ${network} often need a tag, and a registered address has none.\n`)
  }
}

function describe(wallet: Wallet): string {
  const fields = fieldLines([
    ['Wallet', wallet.id],
    ['Name', wallet.name],
    ['Asset', wallet.asset],
    ['Network', wallet.network],
    ['Address', wallet.address],
    ['Message', wallet.message],
  ])
  return `Registered\n${fields}`
}

function differenceOf(request: WalletRequest, wallet: Wallet): 'address' | 'asset' | 'network' | undefined {
  // Services write an address in their own spelling.
  const placeOf = (address: string | null) => destinationOf(address, null, request.network).address
  if (placeOf(wallet.address) !== placeOf(request.address)) return 'address'
  if (wallet.asset !== null && wallet.asset.toUpperCase() !== request.asset.toUpperCase()) return 'asset'
  if (wallet.network !== null && !sameNetwork(wallet.network, request.network)) return 'network'
  return undefined
}
