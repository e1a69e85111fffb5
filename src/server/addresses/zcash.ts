/**
 * Zcash: transparent addresses, those for transparent money only (TEX, ZIP-320), Sapling's, and
 * unified ones of revision 1 (ZIP-316). Sprout's (`zc…`) take no deposits any more (ZIP-211).
 */
import { bech32, bech32m, hex } from '@scure/base'
import { type AddressForm, base58check, type Format } from './bytes.ts'

/** Two bytes before the hash of a key or of a script. */
const transparent: Readonly<Record<string, AddressForm>> = {
  '1cb8': 'main',
  '1cbd': 'main',
  '1d25': 'test',
  '1cba': 'test',
}
const main = ['zs', 'u', 'tex']
const test = ['ztestsapling', 'zregtestsapling', 'utest', 'uregtest', 'textest', 'texregtest']

/**
 * Transparent, Sapling, unified, or TEX, which is another spelling of a key's transparent address.
 *
 * @see ZIP 316 and ZIP 320
 */
export const zcash: Format = (address) => {
  const [, prefix = ''] = /^([a-z]+)1/.exec(address.toLowerCase()) ?? []
  const form = main.includes(prefix) ? 'main' : test.includes(prefix) ? 'test' : undefined
  if (form === undefined) {
    const account = hex.encode(base58check.decode(address))
    const read = account.length === 44 && transparent[account.slice(0, 4)]
    return read ? { form: read, account } : 'invalid'
  }
  const content = contentOf(prefix, address)
  if (!content || !prefix.startsWith('tex')) return content ? form : 'invalid'
  return { form, account: `${form === 'main' ? '1cb8' : '1d25'}${hex.encode(content)}` }
}

/** Undefined where it has another length. */
function contentOf(prefix: string, address: string): Uint8Array | undefined {
  // Sapling is older than the second checksum. Addresses may be longer than BIP-173 allows.
  const isSapling = prefix.endsWith('s') || prefix.endsWith('sapling')
  const bytes = bech32.fromWords((isSapling ? bech32 : bech32m).decode(address, false).words)
  // The content of a unified address is jumbled, so its checksum covers all of it (ZIP-316).
  const [least, most] = isSapling ? [43, 43] : prefix.startsWith('tex') ? [20, 20] : [48, 256]
  return bytes.length >= least && bytes.length <= most ? bytes : undefined
}
