/**
 * The code of the script and the element: the same modules as the React component's, from a library of half the size.
 */
import { useMemo } from 'react'
import { encode } from 'uqr'

/** Dark on white in every theme, level M or better, with the border of four modules that scanners need. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', boostEcc: true, border: 4 }), [text])
  return (
    <svg className="pw-qr-code" part="code" viewBox={`0 0 ${size} ${size}`} role="img">
      <title>{label}</title>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={data.map(drawRow).join('')} />
    </svg>
  )
}

/** One rectangle for each run of dark modules. */
function drawRow(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x += 1) {
    const from = x
    while (row[x]) x += 1
    if (x > from) path += `M${from} ${y}h${x - from}v1h${from - x}z`
  }
  return path
}
