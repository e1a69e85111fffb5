/**
 * Writes data about `<pay-window>` for editors: a custom-elements manifest, JetBrains' web-types
 * and VS Code's custom data. Attributes, events and properties come from the public types; parts
 * and custom properties come from docs/theming.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { root } from './paths.ts'
import { camelCase, fieldsOf } from './public-names.ts'

const tag = 'pay-window'
const description = 'A crypto checkout, in a shadow root.'

/** A name with its description. */
interface Described {
  readonly name: string
  readonly description: string
}

/** A property of the element, and the attribute that it reflects, if any. */
interface Property extends Described {
  readonly type: string
  readonly attribute?: string
}

/** Writes the three files into dist. */
export function writeManifests(dist: string): void {
  const write = (name: string, json: unknown) => writeFileSync(join(dist, name), `${JSON.stringify(json, null, 1)}\n`)
  write('custom-elements.json', customElements())
  write('web-types.json', webTypes())
  write('html-custom-data.json', htmlCustomData())
}

/** An attribute that needs no text is a boolean for editors. */
const attributes = () =>
  fieldsOf('element', 'PaywindowAttributes').map((field) => ({
    ...field,
    type: field.type === `'' | true` ? 'boolean' : field.type,
  }))
/** Descriptions of attributes are about texts: properties take those of the component's options. */
function properties(): readonly Property[] {
  const looks = new Map(fieldsOf('index', 'PaywindowLooks').map((field) => [field.name, field]))
  const reflected = attributes().map(({ name: attribute, type, description: meaning }) => {
    const name = camelCase(attribute)
    const values = type === 'boolean' ? 'string | boolean' : 'string'
    return {
      name,
      type: `${values} | null | undefined`,
      description: looks.get(name)?.description ?? meaning,
      attribute,
    }
  })
  const texts = looks.get('texts')
  if (!texts) throw new Error('index has no texts in PaywindowLooks')
  return [...reflected, { ...texts, type: `${texts.type} | undefined` }]
}
const events = () => fieldsOf('element', 'PaywindowEventMap')
const theming = () => readFileSync(join(root, 'docs', 'theming.md'), 'utf8')

/** Rows of the tables: the first cell has the names, the last the description. */
function rowsOf(pattern: RegExp): Described[] {
  return [...theming().matchAll(/^\| (`.*`) \| .* \| (.*) \|$/gm)].flatMap(([, names = '', meaning = '']) =>
    [...names.matchAll(pattern)].map(([, name = '']) => ({ name, description: meaning })),
  )
}

const slots = [{ name: 'logo', description: "The merchant's logo, in the head of a card that is 480 px wide or more." }]
const cssParts = () => rowsOf(/`(\w+)`/g)
const cssProperties = () => rowsOf(/`(--pw-[\w-]+)`/g)

/** See https://github.com/webcomponents/custom-elements-manifest, version 1.0.0. */
function customElements() {
  const declaration = {
    kind: 'class',
    name: 'PaywindowElement',
    customElement: true,
    tagName: tag,
    description,
    superclass: { name: 'HTMLElement' },
    attributes: attributes().map(({ type, ...rest }) => ({
      ...rest,
      type: { text: type },
      fieldName: camelCase(rest.name),
    })),
    members: properties().map(({ type, ...rest }) => ({
      kind: 'field',
      ...rest,
      type: { text: type },
      ...(rest.attribute !== undefined && { reflects: true }),
    })),
    events: events().map(({ type, ...rest }) => ({ ...rest, type: { text: type } })),
    slots,
    cssParts: cssParts(),
    cssProperties: cssProperties(),
  }
  const reference = { name: 'PaywindowElement', module: 'dist/element.js' }
  return {
    schemaVersion: '1.0.0',
    modules: [
      {
        kind: 'javascript-module',
        path: 'dist/element.js',
        declarations: [declaration],
        exports: [{ kind: 'js', name: 'PaywindowElement', declaration: reference }],
      },
      {
        kind: 'javascript-module',
        path: 'dist/element-define.js',
        exports: [{ kind: 'custom-element-definition', name: tag, declaration: reference }],
      },
    ],
  }
}

/** See https://github.com/JetBrains/web-types. */
function webTypes() {
  const element = {
    name: tag,
    description,
    attributes: attributes().map(({ type, ...rest }) => ({ ...rest, value: { type } })),
    js: {
      properties: properties().map(({ name, type, description: meaning }) => ({
        name,
        description: meaning,
        value: { type },
      })),
      events: events().map(({ name, description: meaning }) => ({ name, description: meaning })),
    },
    slots,
    css: { parts: cssParts(), properties: cssProperties() },
  }
  const { name, version } = packageJson
  return { name, version, 'description-markup': 'markdown', contributions: { html: { elements: [element] } } }
}

/** See https://code.visualstudio.com/api/extension-guides/custom-data-extension. */
function htmlCustomData() {
  const data = attributes().map(({ name, type, description: meaning }) => {
    const values = [...type.matchAll(/'(\w+)'/g)].map(([, value]) => ({ name: value }))
    return { name, description: meaning, ...(values.length > 0 && { values }) }
  })
  return { version: 1.1, tags: [{ name: tag, description, attributes: data }] }
}
