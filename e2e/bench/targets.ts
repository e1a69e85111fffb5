/** What is measured side by side. */

export interface Target {
  readonly name: string
  /** Folder below dist/bench, and path of the page. */
  readonly folder: string
  /** What says that the panel stands, looked for through open shadow roots. */
  readonly ready: string
  /** Source below this folder; none where the page loads what was built for everybody. */
  readonly entry?: string
  /** Draws with Preact in the place of React. */
  readonly light?: boolean
  readonly isPeer?: boolean
}

export const scriptTag = 'Paywindow, script tag'
export const floor = 'floor: hand-written, uqr'
export const barePreact = 'bare panel: preact, qrcode.react'
export const adyen = 'Adyen Pix 6.45.2'

export const targets: readonly Target[] = [
  { name: scriptTag, folder: 'script-tag', ready: '.pw[data-view="waiting"] .pw-qr-code' },
  {
    name: 'Paywindow, React',
    folder: 'react',
    ready: '.pw[data-view="waiting"] .pw-qr-code',
    entry: 'pages/react.tsx',
  },
  { name: floor, folder: 'floor', ready: '.q svg', entry: 'pages/floor.ts' },
  { name: barePreact, folder: 'bare-preact', ready: '.q svg', entry: 'pages/bare.tsx', light: true },
  { name: 'bare panel: react, qrcode.react', folder: 'bare-react', ready: '.q svg', entry: 'pages/bare.tsx' },
  {
    name: 'Solana Pay 1.0.16, code only',
    folder: 'solana-pay',
    ready: '#root svg',
    entry: 'peers/solana-pay.js',
    isPeer: true,
  },
  { name: adyen, folder: 'adyen', ready: 'img[src*=barcode]', entry: 'peers/adyen.js', isPeer: true },
  {
    name: 'bitcoin-connect 3.12.3',
    folder: 'bitcoin-connect',
    ready: 'canvas#qr',
    entry: 'peers/bitcoin-connect.js',
    isPeer: true,
  },
]
