/** The panels that are measured: alone on a page, and some in the demo shop's checkout page. */

/** A panel on a page. */
export interface Target extends Candidate {
  readonly page: 'alone' | 'shop'
}

interface Candidate {
  /** Unique among targets. */
  readonly name: string
  /** Folder below dist/bench. */
  readonly folder: string
  /** Selector of an element that is visible once the panel is drawn, in open shadow roots, too. */
  readonly ready: string
  readonly panel: Panel
}

/**
 * `own`: the merchant's page. `drawn`: with the widget in its HTML. `none`: without a panel. Else a
 * panel in the widget's place.
 */
type Panel = 'own' | 'drawn' | 'none' | BenchPanel

interface BenchPanel {
  /** Source file below this folder. */
  readonly entry: string
  /** Whether it uses Preact in place of React. */
  readonly light?: boolean
  /** Whether it is styled by pages/panel.css. */
  readonly bare?: boolean
}

/** Name of the target that the limits are for. */
export const scriptTag = 'Paywindow, script tag'
/** Name of the same, drawn by the merchant's server. */
export const drawnPage = 'Paywindow, drawn by the server'
/** Name of the least that a panel can cost. */
export const floor = 'floor: hand-written, uqr'
/** Name of the bare panel on Preact. */
export const barePreact = 'bare panel: preact, qrcode.react'
/** Name of one of the peers. */
export const adyen = 'Adyen Pix 6.45.2'

/** Returns the name of a candidate when it is in the shop's page. */
export function inShop(name: string): string {
  return `in the shop: ${name}`
}

const candidates: readonly Candidate[] = [
  { name: scriptTag, folder: 'script-tag', ready: '.pw[data-view="waiting"] .pw-qr-code', panel: 'own' },
  { name: drawnPage, folder: 'drawn', ready: '.pw[data-view="waiting"] .pw-qr-code', panel: 'drawn' },
  {
    name: 'Paywindow, React',
    folder: 'react',
    ready: '.pw[data-view="waiting"] .pw-qr-code',
    panel: { entry: 'pages/react.tsx' },
  },
  { name: floor, folder: 'floor', ready: '.q svg', panel: { entry: 'pages/floor.ts', bare: true } },
  {
    name: barePreact,
    folder: 'bare-preact',
    ready: '.q svg',
    panel: { entry: 'pages/bare.tsx', bare: true, light: true },
  },
  {
    name: 'bare panel: react, qrcode.react',
    folder: 'bare-react',
    ready: '.q svg',
    panel: { entry: 'pages/bare.tsx', bare: true },
  },
  {
    name: 'Solana Pay 1.0.16, code only',
    folder: 'solana-pay',
    ready: '#root svg',
    panel: { entry: 'peers/solana-pay.js' },
  },
  { name: adyen, folder: 'adyen', ready: 'img[src*=barcode]', panel: { entry: 'peers/adyen.js' } },
  {
    name: 'bitcoin-connect 3.12.3',
    folder: 'bitcoin-connect',
    ready: 'canvas#qr',
    panel: { entry: 'peers/bitcoin-connect.js' },
  },
]

const shopCandidates: readonly Candidate[] = [
  ...candidates.filter(({ name }) => [scriptTag, drawnPage, floor, adyen].includes(name)),
  { name: 'no panel', folder: 'no-panel', ready: '.pay p', panel: 'none' },
]

/** Everything that is measured: all candidates alone, then some in the shop's page. */
export const targets: readonly Target[] = [
  ...candidates.map((candidate) => ({ ...candidate, page: 'alone' as const })),
  ...shopCandidates.map((candidate) => ({ ...candidate, name: inShop(candidate.name), page: 'shop' as const })),
]

/** Returns the path of a target's page. */
export function pathOf({ page, folder }: Target): string {
  return `/${page}/${folder}/`
}
