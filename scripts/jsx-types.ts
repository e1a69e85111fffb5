/**
 * Types of `<pay-window>` in the JSX of React 18 and 19, as an entry of its own: a page without React has no types to add to. It has no
 * listeners, because React 18 ignores those of custom elements without a word.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const declarations = `import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { PaywindowAttributes, PaywindowElement } from './element.js'
import './element-define.js'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** Listen to its events with a \`ref\` and \`addEventListener\`. React also has a component: \`import { Paywindow } from 'paywindow'\`. */
      'pay-window': DetailedHTMLProps<HTMLAttributes<PaywindowElement>, PaywindowElement> & PaywindowAttributes & { class?: string }
    }
  }
}
`

/** Writes the declarations of `paywindow/element/react`, whose code is that of `paywindow/element/define`. */
export function writeJsxTypes(dist: string): void {
  writeFileSync(join(dist, 'element-react.d.ts'), declarations)
  writeFileSync(
    join(dist, 'element-react.d.cts'),
    `import type {} from './element-react.js' with { 'resolution-mode': 'import' }\nexport {}\n`,
  )
}
