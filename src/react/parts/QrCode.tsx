/**
 * The code itself. In a file of its own, so that the script build can draw it with another library.
 */
import { QRCodeSVG } from 'qrcode.react'

/** Props of `QrCode`. */
export interface QrCodeProps {
  readonly text: string
  readonly label: string
  /** Whether 30 % of it may be unreadable, and not 15 %. */
  readonly isStrong?: boolean
}

/** Dark on white in every theme, with the border of four modules that scanners need. */
export function QrCode({ text, label, isStrong = false }: QrCodeProps) {
  return (
    <QRCodeSVG
      className="pw-qr-code"
      part="code"
      value={text}
      level={isStrong ? 'H' : 'M'}
      marginSize={4}
      bgColor="#fff"
      fgColor="#000"
      title={label}
    />
  )
}
