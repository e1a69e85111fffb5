import { expect, it } from 'vitest'
import { withPlainRem } from './rem.ts'

it.each([
  ['a{font-size:.8125rem}', 'a{font-size:calc(.8125*clamp(16px,1rem,40px))}'],
  ['a{width:calc(100% - 4rem)}', 'a{width:calc(100% - calc(4*clamp(16px,1rem,40px)))}'],
  ['a{font:400 0.9375rem/1.45 serif}', 'a{font:400 calc(0.9375*clamp(16px,1rem,40px))/1.45 serif}'],
  ['.remote{margin:-1em 2px}', '.remote{margin:-1em 2px}'],
])('takes a rem of %s for 16 pixels at least, and 40 at most', (css, plain) => {
  expect(withPlainRem(css)).toBe(plain)
})
