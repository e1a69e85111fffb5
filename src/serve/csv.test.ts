import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvText } from './csv.ts'

describe('rows for a spreadsheet', () => {
  it('have one line each on a terminal, with nothing invisible in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const written of [csvText([[text, 1]]), csvText([{ text }], { columns: ['text'] })])
          expect(written).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]*\n$/u)
      }),
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '\u200b=1', '＝1', ' =1', '\u00a0 =1', '" =1'])(
    'have no formula in %j',
    (text) => expect(csvText([[text]])).toMatch(/^"?['\\]/),
  )

  it.each(['a;=1+1;', 'a;+1', 'a;-1', 'a;@SUM(1)', 'a; =1', 'a;"=1', 'a;＝1', 'a,b;=1', ';;=1'])(
    'have no formula where lines are divided at semicolons: %j',
    (text) => {
      for (const cell of csvText([['id', text, 'EUR']]).split(';')) expect(cell).not.toMatch(/^["\s]*[=+\-@＝]/)
    },
  )
})
