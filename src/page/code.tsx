/** The code of an address, as a file or a part of a page. */
import { renderToString } from 'preact-render-to-string'
import { QrCode } from '../element/QrCode.tsx'

/** An SVG of its own. */
export function drawCode(text: string): string {
  return renderToString(<QrCode text={text} label={text} />).replace(
    '<svg ',
    '<svg xmlns="http://www.w3.org/2000/svg" ',
  )
}
