/**
 * Leaves out of libraries what nothing here calls, and bundlers cannot know: 1.6 kB of the script,
 * 0.5 kB of the React entry. Takes elements out by a method that pages do not replace.
 */
import { type Plugin, parseSync } from 'vite'
import { type Edit, edited } from './shared.ts'

/** Ways in which lean-qr chooses modes and draws. Bundlers keep every field of an object. */
const ofCodes = 'auto multi eci ascii iso8859_1 shift_jis utf8 toString toImageData toCanvas toDataURL'.split(' ')

/** What qrcode.react makes of other texts than ours, and its single modules. */
const ofReactCodes = 'encodeText encodeBinary makeEci getModule'.split(' ')

/** Methods that no component has, promises that none throws, and options that nothing sets. */
const ofPreact = [
  'getDerivedStateFromProps getDerivedStateFromError getSnapshotBeforeUpdate componentWillMount componentDidMount',
  'componentWillReceiveProps componentDidUpdate then debounceRendering event vnode',
].flatMap((names) => names.split(' '))

/** What no component draws: formulas, templates, long fields, and HTML that is written as text. */
const drawnByNone = [
  'math',
  'template',
  'textarea',
  'dangerouslySetInnerHTML',
  'foreignObject',
  'http://www.w3.org/1998/Math/MathML',
]

/** @throws Error where another version of a library has other names. */
export const leaner: Plugin = {
  name: 'libraries without what nothing calls',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('/lean-qr/')) return edited(code, lessOfCodes(code))
    if (id.endsWith('/qrcode.react/lib/esm/index.js')) return edited(code, lessOfReactCodes(code))
    if (id.endsWith('/preact/dist/preact.mjs')) return edited(code, lessOfPreact(code))
    return null
  },
}

/**
 * Without these fields; and without the statements that mark modes, and the calls that make them,
 * where they are used no more.
 */
function lessOfCodes(code: string): readonly Edit[] {
  const { body } = parseSync('codes.js', code).program
  const fields = nodesIn(body).filter(({ type, key }) => type === 'Property' && ofCodes.includes(key?.name ?? ''))
  complete(
    'lean-qr',
    ofCodes,
    fields.map(({ key }) => key?.name),
  )
  const cuts = [...fields, ...body.filter(({ type }) => type === 'ExpressionStatement')]
  const made = body.flatMap((node) => (node.type === 'VariableDeclaration' ? node.declarations : []))
  const calls = made.flatMap(({ init }) => (init && /^(Call|New)Expression$/.test(init.type) ? [init] : []))
  return [
    ...cuts.map(({ start, end }) => ({ start, end: code[end] === ',' ? end + 1 : end, text: '' })),
    ...calls.map(({ start }) => ({ start, end: start, text: '/* @__PURE__ */ ' })),
  ]
}

/** Without these methods, and without a picture in the code. */
function lessOfReactCodes(code: string): readonly Edit[] {
  const nodes = nodesIn(parseSync('codes.js', code).program)
  const methods = nodes.filter(({ type, key }) => type === 'MethodDefinition' && ofReactCodes.includes(key?.name ?? ''))
  complete(
    'qrcode.react',
    ofReactCodes,
    methods.map(({ key }) => key?.name),
  )
  const questions = nodes.filter(({ operator, left }) => operator === '!=' && left?.name === 'imageSettings')
  const sizes = nodes.filter(({ type, callee }) => type === 'CallExpression' && callee?.name === 'getImageSettings')
  complete(
    'qrcode.react',
    ['imageSettings', 'getImageSettings'],
    [...questions.map(({ left }) => left?.name), ...sizes.map(({ callee }) => callee?.name)],
  )
  return [
    ...methods.map(({ start, end }) => ({ start, end, text: '' })),
    ...questions.map(({ start, end }) => ({ start, end, text: '(!1)' })),
    ...sizes.map(({ start, end }) => ({ start, end, text: 'null' })),
  ]
}

/**
 * Reads of these names give `undefined`, nothing is equal to these texts, and minifiers drop what
 * follows from both.
 */
function lessOfPreact(code: string): readonly Edit[] {
  const nodes = nodesIn(parseSync('preact.js', code).program)
  const reads = nodes.filter(
    ({ type, property }) => type === 'MemberExpression' && ofPreact.includes(property?.name ?? ''),
  )
  complete(
    'preact',
    ofPreact,
    reads.map(({ property }) => property?.name),
  )
  const questions = nodes.filter(({ operator, left }) => operator === '==' && drawnByNone.includes(left?.value ?? ''))
  complete(
    'preact',
    drawnByNone,
    questions.map(({ left }) => left?.value),
  )
  const removals = nodes.filter(
    ({ type, callee, arguments: given }) =>
      type === 'CallExpression' && callee?.property?.name === 'remove' && given?.length === 0,
  )
  complete(
    'preact',
    ['remove'],
    removals.map(({ callee }) => callee?.property?.name),
  )
  return [
    // Old scripts replace `remove` by one that finds no parent in a shadow root.
    ...removals.map(({ start, end, callee }) => {
      const node = code.slice(callee?.object?.start, callee?.object?.end)
      return { start, end, text: `${node}.parentNode.removeChild(${node})` }
    }),
    ...reads.map(({ start, end }) => ({ start, end, text: '(void 0)' })),
    ...questions.map(({ start, end }) => ({ start, end, text: '(!1)' })),
  ]
}

function complete(library: string, wanted: readonly string[], found: readonly (string | undefined)[]): void {
  const missing = wanted.filter((name) => !found.includes(name))
  if (missing.length > 0) throw new Error(`${library} has no ${missing}: see scripts/targets/leaner.ts`)
}

/** A node of a syntax tree. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly key?: { readonly name?: string }
  readonly property?: { readonly name?: string }
  readonly operator?: string
  readonly left?: { readonly value?: string; readonly name?: string }
  readonly callee?: Pick<Node, 'property'> & { readonly name?: string; readonly object?: Pick<Node, 'start' | 'end'> }
  readonly arguments?: readonly unknown[]
}

function nodesIn(tree: unknown): readonly Node[] {
  if (typeof tree !== 'object' || tree === null) return []
  const inside = Object.values(tree).flatMap(nodesIn)
  return 'type' in tree && 'start' in tree ? [tree as Node, ...inside] : inside
}
