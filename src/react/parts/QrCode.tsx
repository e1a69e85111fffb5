/**
 * The code itself. In a file of its own, so that the script build can draw it with another library.
 */
import { QRCodeSVG } from 'qrcode.react'

/** Dark on white in every theme, error correction level M, with the border of four modules that scanners need. */
export function QrCode({ text, label }: { text: string; label: string }) {
  return (
    <QRCodeSVG
      className="pw-qr-code"
      part="code"
      value={text}
      level="M"
      marginSize={4}
      bgColor="#fff"
      fgColor="#000"
      title={label}
    />
  )
}
