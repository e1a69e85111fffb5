/**
 * Writes `paywindow/element/angular`: a directive for `<pay-window>` in Angular's templates, with
 * its attributes as inputs and its events as outputs. The code has the form that Angular's compiler
 * gives to directives of packages; the shop's compiler completes it.
 *
 * @see https://angular.dev/tools/libraries/creating-libraries
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { camelCase, type Field, fieldsOf } from './public-names.ts'

/** The oldest Angular that has `output()`. */
const oldest = '17.3.0'

/** A field with its `name` in templates, and its `property` in the class. */
interface Bound extends Field {
  readonly property: string
}

/** Outputs have no colon, before which Angular expects a target: `paywindowConfirmed`. */
const bound = (field: Field): Bound => ({
  ...field,
  // Unlike an attribute, an input can be false.
  description: field.description.replace(/ The text does not matter.*$/, ''),
  property: camelCase(field.name),
})

const lines = (all: readonly Bound[], lineOf: (each: Bound) => string) => all.map(lineOf).join('\n')

/** The outputs of the directive. Only a modal closes, and templates have no modal. */
export function angularOutputs(): readonly Bound[] {
  return fieldsOf('element', 'PaywindowEventMap')
    .filter(({ name }) => name !== 'paywindow:close')
    .map(bound)
}

/** Writes the code and its declarations, for modules and for CommonJS. */
export function writeAngularDirective(dist: string): void {
  const inputs = fieldsOf('element', 'PaywindowAttributes').map(bound)
  const outputs = angularOutputs()
  const write = (kind: string, text: string) => writeFileSync(join(dist, `element-angular.${kind}`), text)
  write('js', codeOf(inputs, outputs))
  write('d.ts', declarationsOf(inputs, outputs))
  write('cjs', `module.exports = require('./element-angular.js')\n`)
  write('d.cts', requiredDeclarations)
}

const requiredDeclarations = `import type * as entry from './element-angular.js' with { 'resolution-mode': 'import' }
export declare const PaywindowDirective: typeof entry.PaywindowDirective
export type PaywindowDirective = entry.PaywindowDirective
`

/** Angular's compiler reads the two declarations as text. */
function codeOf(inputs: readonly Bound[], outputs: readonly Bound[]): string {
  return `import * as angular from '@angular/core'
import './element-define.js'

export class PaywindowDirective {
${lines(outputs, ({ property }) => `  ${property} = angular.output()`)}
  #element = angular.inject(angular.ElementRef).nativeElement

  constructor() {
${lines(outputs, ({ name, property }) => `    this.#element.addEventListener('${name}', (event) => this.${property}.emit(event))`)}
  }

  ngOnChanges(changes) {
    for (const name in changes) this.#element[name] = changes[name].currentValue
  }

  static ɵfac = angular.ɵɵngDeclareFactory({
    minVersion: '12.0.0',
    version: '${oldest}',
    ngImport: angular,
    type: PaywindowDirective,
    deps: [],
    target: angular.ɵɵFactoryTarget.Directive,
  })
  static ɵdir = angular.ɵɵngDeclareDirective({
    minVersion: '14.0.0',
    version: '${oldest}',
    ngImport: angular,
    type: PaywindowDirective,
    isStandalone: true,
    selector: 'pay-window',
    inputs: {
${lines(inputs, ({ property, name }) => `      ${property}: ['${name}', '${property}'],`)}
      texts: 'texts',
    },
    outputs: {
${lines(outputs, ({ property }) => `      ${property}: '${property}',`)}
    },
    usesOnChanges: true,
  })
}
`
}

function declarationsOf(inputs: readonly Bound[], outputs: readonly Bound[]): string {
  return `import type { OnChanges, OutputEmitterRef, SimpleChanges, ɵɵDirectiveDeclaration } from '@angular/core'
import type { PaywindowElement, PaywindowEventMap } from './element.js'
import './element-define.js'

/**
 * The attributes of \`<pay-window>\` as inputs, and its events as outputs, for \`imports\` of a
 * component.
 *
 * @example
 * \`\`\`html
 * <pay-window
 *   endpoint="/paywindow"
 *   [reference]="cart()"
 *   (paywindowConfirmed)="thank($event.detail)"
 * />
 * \`\`\`
 */
export declare class PaywindowDirective implements OnChanges {
${lines(inputs, ({ property, name, type, description }) => `  /** ${description} */\n  ${property}: ${typeOfInput(name, type)}`)}
  /** Texts in place of the built-in ones. */
  texts: PaywindowElement['texts']
${lines(outputs, ({ property, name, description }) => `  /** ${description} */\n  readonly ${property}: OutputEmitterRef<PaywindowEventMap['${name}']>`)}
  ngOnChanges(changes: SimpleChanges): void
  static ɵdir: ɵɵDirectiveDeclaration<
    PaywindowDirective,
    'pay-window',
    never,
    {
${lines(inputs, ({ property, name }) => `      ${property}: { alias: '${name}'; required: ${name === 'endpoint'} }`)}
      texts: { alias: 'texts'; required: false }
    },
    { ${outputs.map(({ property }) => `${property}: '${property}'`).join('; ')} },
    never,
    never,
    true,
    never
  >
}
`
}

/** Templates often have null for a value that is not known yet. */
function typeOfInput(name: string, type: string): string {
  if (name === 'endpoint') return type
  return `${type === "'' | true" ? "'' | boolean" : type} | null | undefined`
}
