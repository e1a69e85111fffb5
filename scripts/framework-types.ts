/**
 * Types of `<pay-window>` in the templates of React 18 and 19, Vue 3 and Svelte 5, each as an entry of its own: a page without React has no types
 * to add to. In React it has neither listeners nor `texts`, because React 18 ignores those of custom elements without a word.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const declarations = {
  react: `import type { DetailedHTMLProps, HTMLAttributes } from 'react'
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
`,
  vue: `import type { EmitFn, HTMLAttributes } from 'vue'
import type { PaywindowAttributes, PaywindowElement, PaywindowEventMap } from './element.js'
import './element-define.js'

/** Vue's compiler writes \`handover-url\` as \`handoverUrl\` before it looks for its type, and sets a property of the element, for which a condition can be false. */
type CamelCased<Attributes> = {
  [Name in keyof Attributes as CamelCase<Name & string>]: true extends Attributes[Name] ? Attributes[Name] | boolean : Attributes[Name]
}
type CamelCase<Name extends string> = Name extends \`\${infer First}-\${infer Rest}\` ? \`\${First}\${Capitalize<CamelCase<Rest>>}\` : Name

declare module 'vue' {
  interface GlobalComponents {
    /** Tell Vue's compiler that it is an element: \`isCustomElement: (tag) => tag === 'pay-window'\`. */
    'pay-window': new () => PaywindowElement & {
      $props: HTMLAttributes & CamelCased<PaywindowAttributes> & Partial<Pick<PaywindowElement, 'texts'>>
      $emit: EmitFn<{ [Name in keyof PaywindowEventMap]: (event: PaywindowEventMap[Name]) => void }>
    }
  }
}
`,
  svelte: `import type { HTMLAttributes } from 'svelte/elements'
import type { PaywindowAttributes, PaywindowElement } from './element.js'
import './element-define.js'

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    /** Listen to its events with \`on\` of \`svelte/events\`: in a template Svelte takes the colon in their names for a directive. */
    'pay-window': HTMLAttributes<PaywindowElement> & PaywindowAttributes & Partial<Pick<PaywindowElement, 'texts'>>
  }
}
`,
}

/** Writes the declarations of `paywindow/element/react` and the others, whose code is that of `paywindow/element/define`. */
export function writeFrameworkTypes(dist: string): void {
  for (const [name, text] of Object.entries(declarations)) {
    writeFileSync(join(dist, `element-${name}.d.ts`), text)
    writeFileSync(
      join(dist, `element-${name}.d.cts`),
      `import type {} from './element-${name}.js' with { 'resolution-mode': 'import' }\nexport {}\n`,
    )
  }
}
