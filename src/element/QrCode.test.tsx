import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { QrCode as ReactQrCode } from '../react/parts/QrCode.tsx'
import { QrCode } from './QrCode.tsx'
import { qrModules } from './qr-modules.ts'

describe('the code of the element', () => {
  it('draws its modules and a border of four, for any text that a code may hold', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 400, unit: 'binary-ascii' }), (text) => {
        const code = qrModules(text)
        const places = Array.from({ length: code.size + 8 }, (_, place) => place - 4)
        const rows = places.map((y) => places.map((x) => (code.get(x, y) ? '1' : '0')).join(''))
        expect(modulesOf(<QrCode text={text} label="" />)).toEqual(rows)
      }),
      { numRuns: 60 },
    )
  })

  it.each(['bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.00123456', '4087552241'])(
    'is the code of the React component where both choose one mask: %s',
    (text) => {
      expect(modulesOf(<QrCode text={text} label="Code" />)).toEqual(
        modulesOf(<ReactQrCode text={text} label="Code" />),
      )
    },
  )

  it('is named, and drawn in the same way', () => {
    const shape = (markup: string) =>
      markup.replace(/ d="[^"]*"/g, '').replace(/ (height|width|crossorigin)="[^"]*"/g, '')
    const ours = shape(renderToStaticMarkup(<QrCode text="1" label="Code with the tag" />))
    const theirs = shape(renderToStaticMarkup(<ReactQrCode text="1" label="Code with the tag" />))
    for (const part of [
      'role="img"',
      '<title>Code with the tag</title>',
      'class="pw-qr-code"',
      'fill="#fff"',
      'fill="#000"',
    ]) {
      expect(ours).toContain(part)
      expect(theirs).toContain(part)
    }
  })
})

/** Rows of 0 and 1 that an SVG of rectangles draws, its border included. */
function modulesOf(code: React.ReactNode): string[] {
  const markup = renderToStaticMarkup(code)
  const size = Number(markup.match(/viewBox="0 0 (\d+) /)?.[1])
  const [, dark = ''] = [...markup.matchAll(/ d="([^"]*)"/g)].map(([, path]) => path)
  const rows = Array.from({ length: size }, () => new Array<number>(size).fill(0))
  // `M4 4h7v1…` or `M4,4 h7v1…`; a run of one may be a bare `h1`.
  for (const [, x = '', y = '', width = ''] of dark.matchAll(/M ?(\d+)[ ,](\d+) ?(?:h(\d+)|l)/g)) {
    rows[Number(y)]?.fill(1, Number(x), Number(x) + Number(width))
  }
  if (!dark) throw new Error('nothing is drawn')
  return rows.map((row) => row.join(''))
}
