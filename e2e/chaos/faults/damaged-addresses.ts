/**
 * A service whose answer to a creation shows a wrong address: with one character changed, or of another network. Of one changed
 * character in an address of Ethereum, one in some thirty thousand cannot be noticed: it has one bit of checksum for each letter.
 */
import type { Faults } from './faults.ts'

/** Published addresses, and how the addresses of their networks begin. */
const elsewhere = [
  { begins: /^tb1/, address: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7' },
  { begins: /^tltc1/, address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
  { begins: /^0x/, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  { begins: /^T/, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
  { begins: /^r/, address: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn' },
  { begins: /^G/, address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ' },
]

/** What a character may become. The last ones break a line, control a terminal, and turn the direction of the text. */
const characters = [...'023456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ', '\u2028', '\u009b', '\u202e']

/** The wrong addresses of a segment. */
export interface DamagedAddresses {
  /** Wraps the service's `fetch`: now and then the answer to a creation shows a wrong address. */
  damaging(service: typeof fetch): typeof fetch
  /** Whether this is one of the wrong addresses that were shown. */
  has(address: string): boolean
}

/** Creates it with no wrong address shown yet. */
export function createDamagedAddresses({ strikes, random }: Faults): DamagedAddresses {
  const shown = new Set<string>()

  function damaged(address: string): string {
    if (random.chance(0.4)) return random.pick(elsewhere.filter(({ begins }) => !begins.test(address))).address
    const at = random.between(0, address.length - 1)
    const other = random.pick(characters.filter((character) => character !== address[at]))
    return address.slice(0, at) + other + address.slice(at + 1)
  }

  return {
    has: (address) => shown.has(address),
    damaging: (service) => async (input, init) => {
      const answer = await service(input, init)
      const isCreation = init?.method === 'POST' && String(input).endsWith('/order/exchange')
      if (!isCreation || !answer.ok || !strikes('service: damaged address')) return answer
      // The text itself is changed, without parsing and serializing it, so that numbers keep their digits.
      const text = (await answer.text()).replace(/"wallet_address":"([^"]+)"/g, (_, address: string) => {
        const wrong = damaged(address)
        shown.add(wrong)
        return `"wallet_address":${JSON.stringify(wrong)}`
      })
      return new Response(text, answer)
    },
  }
}
