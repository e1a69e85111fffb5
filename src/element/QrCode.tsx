/**
 * The payment code as the script and the element draw it: a smaller program than the React
 * component's, and a faster one.
 */
import { useMemo } from 'react'
import type { QrCodeProps } from '../react/parts/QrCode.tsx'
import { type QrModules, qrModules } from './qr-modules.ts'

/** Light modules that scanners need on each side. */
const border = 4

/** Dark on white in every theme, with its border. */
export function QrCode({ text, label, isStrong = false }: QrCodeProps) {
  const code = useMemo(() => qrModules(text, isStrong), [text, isStrong])
  const width = code.size + 2 * border
  return (
    <svg className="pw-qr-code" part="code" viewBox={`0 0 ${width} ${width}`} role="img">
      <title>{label}</title>
      <path fill="#fff" d={`M0 0h${width}v${width}H0z`} />
      <path fill="#000" d={drawModules(code)} />
    </svg>
  )
}

/** The path of an SVG, with one rectangle for each run of dark modules in a row. */
function drawModules(code: QrModules): string {
  const { size } = code
  let path = ''
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const from = x
      while (x < size && code.get(x, y)) x += 1
      if (x > from) path += `M${from + border} ${y + border}h${x - from}v1h${from - x}z`
    }
  }
  return path
}
