/**
 * Writes `src/server/icons/coins/logos.ts` from the free set it is taken from, whose package is 80
 * MB, so it is not a dependency:
 *
 *     npm pack @web3icons/core@4.0.56 && tar xzf web3icons-core-4.0.56.tgz
 *     node scripts/run.mjs scripts/coin-logos.ts package
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

/** The file of each mark in the set, and its colour, by the mark's name. */
const wanted: Readonly<Record<string, readonly [file: string, color: string]>> = {
  btc: ['tokens/mono/BTC', '#f7931a'],
  ltc: ['tokens/mono/LTC', '#345d9d'],
  doge: ['tokens/mono/DOGE', '#ba9f33'],
  bch: ['tokens/mono/BCH', '#0ac18e'],
  bsv: ['tokens/mono/BSV', '#d99a00'],
  xec: ['tokens/mono/XEC', '#0074c2'],
  dash: ['tokens/mono/DASH', '#008de4'],
  zec: ['tokens/mono/ZEC', '#c98f1c'],
  xmr: ['tokens/mono/XMR', '#e05a00'],
  kas: ['tokens/mono/KAS', '#3aa99c'],
  eth: ['tokens/mono/ETH', '#627eea'],
  usdc: ['tokens/mono/USDC', '#2775ca'],
  usdt: ['tokens/mono/USDT', '#1f9d79'],
  eurc: ['tokens/mono/EURC', '#1f5fd0'],
  bnb: ['tokens/mono/BNB', '#c48f00'],
  pol: ['tokens/mono/POL', '#8247e5'],
  avax: ['tokens/mono/AVAX', '#e84142'],
  celo: ['tokens/mono/CELO', '#2c7a4b'],
  base: ['networks/mono/base', '#0052ff'],
  arbitrum: ['networks/mono/arbitrum-one', '#213147'],
  optimism: ['networks/mono/optimism', '#ff0420'],
  linea: ['networks/mono/linea', '#190066'],
  zksync: ['networks/mono/zksync', '#1e69ff'],
  trx: ['tokens/mono/TRX', '#e50915'],
  sol: ['tokens/mono/SOL', '#8a3ffc'],
  xrp: ['tokens/mono/XRP', '#23292f'],
  xlm: ['tokens/mono/XLM', '#0b7f9e'],
  ton: ['networks/mono/ton', '#0098ea'],
  ada: ['tokens/mono/ADA', '#0033ad'],
  dot: ['tokens/mono/DOT', '#e6007a'],
  ksm: ['tokens/mono/KSM', '#26292e'],
  near: ['tokens/mono/NEAR', '#17805a'],
  algo: ['tokens/mono/ALGO', '#22262b'],
  hbar: ['tokens/mono/HBAR', '#2b2f36'],
  xtz: ['tokens/mono/XTZ', '#2c7df7'],
  apt: ['tokens/mono/APT', '#20242a'],
  sui: ['tokens/mono/SUI', '#3b82d6'],
  fil: ['tokens/mono/FIL', '#0078ff'],
  icp: ['tokens/mono/ICP', '#522785'],
  strk: ['tokens/mono/STRK', '#28286e'],
}

const [, , folder] = process.argv
if (!folder) throw new Error('Say where the package was unpacked')
const rows = Object.entries(wanted).map(([name, [file, color]]) => {
  const svg = readFileSync(join(folder, 'dist/svgs', `${file}.svg.js`), 'utf8')
  return `  ${name}: ['${color}', '${pathsOf(svg)}'],`
})
writeFileSync(
  join(root, 'src/server/icons/coins/logos.ts'),
  `/**
 * Logos of coins and networks on a plane of 24 by 24, and the colour of the disc around them.
 * Written by \`scripts/coin-logos.ts\` from @web3icons/core 4.0.56, whose licence is in \`LICENSE\`.
 */
// biome-ignore format: a line each
export const logos = {
${rows.join('\n')}
} as const satisfies Readonly<Record<string, readonly [color: string, paths: string]>>
`,
)

/** The drawn paths, without clip paths. */
function pathsOf(svg: string): string {
  return [...svg.replace(/<clipPath[\s\S]*?<\/clipPath>/g, '').matchAll(/<path [^>]*>/g)]
    .map(([path]) => {
      const [, d] = / d="([^"]+)"/.exec(path) ?? []
      if (!d || !path.includes('fill="#fff"')) throw new Error(`Not a white path: ${path}`)
      return path.includes('fill-rule="evenodd"') ? `<path fill-rule="evenodd" d="${d}"/>` : `<path d="${d}"/>`
    })
    .join('')
}
