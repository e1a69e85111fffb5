/**
 * Compares the built browser files with MDN's data: fails for a feature that the oldest supported
 * browsers lack. Scripts have no types, so a member counts as missing only if the browser has no
 * member of that name.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import bcd from '@mdn/browser-compat-data' with { type: 'json' }
import type { Identifier } from '@mdn/browser-compat-data'
import { parseSync } from 'vite'
import { root } from './paths.ts'

/** As docs/pages.md and src/session/too-old.ts say. */
const oldest = { chrome: 90, firefox: 90, safari: 15.4 } as const

/** Newer features, and why the widget works without them. */
const newer: Readonly<Record<string, string>> = {
  CSSStyleSheet: 'a <style> element takes its place',
  adoptedStyleSheets: 'as above',
  replaceSync: 'as above',
  showModal: 'the dialog stands over the page without it',
  reportError: 'a timer throws in its place',
  requestIdleCallback: 'a timer takes its place',
  prerendering: 'a browser without it prerenders nothing',
  wakeLock: 'the screen goes dark as it always does',
  share: 'there is no button for it',
  moveBefore: 'Preact asks for it first',
  'light-dark()': 'plain colours take its place',
  'oklch()': 'as above',
  'color-mix()': 'a button keeps its colour under the pointer',
  'color-scheme': 'as above',
  'container-type': 'the card has one layout for all widths',
  '@container': 'as above',
  'contain-intrinsic-inline-size': 'without containers the card is as wide as what is in it',
  '@layer': 'only what darkens pages needs it',
  'text-wrap': 'lines are of uneven length',
  'forced-color-adjust': 'only its own browsers force colours',
  'overscroll-behavior': 'the page behind may scroll along',
  'print-color-adjust': 'on paper the coin stands on the modules of its code',
  'user-select': '-webkit-user-select is beside it',
  hyphens: '-webkit-hyphens is not needed: nothing is hyphenated unasked',
  ':dir': 'arrows point the other way',
  ':has': 'an address is darker',
}

/** Our fields, and fields of libraries, that have the names of newer features. */
const own: ReadonlySet<string> = new Set([
  'actions',
  'address',
  'at',
  'bytes',
  'handle',
  'icon',
  'level',
  'locale',
  'margin',
  'tag',
  'use',
  'with',
])

/** A name in use, and the features that have it. It is missing if a browser has none of them. */
type Use = readonly [name: string, known: readonly Identifier[]]

const builtins = bcd.javascript.builtins ?? {}
const members = knownMembers()

const files = globSync(
  [
    'dist/{paywindow,paywindow-later,index,element*}.js',
    'dist/chunks/[!s]*.js',
    'dist/styles.css',
    'dist/themes/*.css',
  ],
  {
    cwd: root,
  },
).filter((path) => !isForDevelopers(path))
const problems = new Set<string>()
const needed = new Set<string>()
for (const path of files) {
  const text = readFileSync(join(root, path), 'utf8')
  for (const [name, known] of path.endsWith('.js') ? usesInScript(path, text) : usesInStyles(text)) {
    const lacking = known.map(lackedBy)
    if (own.has(name) || lacking.length === 0 || lacking.some((browsers) => browsers.length === 0)) continue
    needed.add(name)
    if (!(name in newer)) problems.add(`${path}: ${name} is not in ${lacking[0]?.join(', ')}`)
  }
}
for (const name of Object.keys(newer)) if (!needed.has(name)) problems.add(`${name} is allowed, and nothing uses it`)
if (files.length < 10) problems.add(`there are no more than ${files.length} files: npm run build`)
console.log(`${files.length} files use ${needed.size} things that are newer than the oldest browsers, and do without`)
for (const problem of problems) console.error(problem)
process.exit(problems.size === 0 ? 0 : 1)

/** The oldest browsers that lack a feature, or have it only behind a flag or under another name. */
function lackedBy(entry: Identifier): readonly string[] {
  const support = entry.__compat?.support
  return Object.entries(oldest).flatMap(([browser, version]) => {
    const isThere = [support?.[browser as keyof typeof oldest] ?? []]
      .flat()
      .some(
        ({ version_added: since, version_removed: until, flags, prefix, alternative_name: alias }) =>
          since && numberOf(since) <= version && !(until && numberOf(until) <= version) && !flags && !prefix && !alias,
      )
    return isThere ? [] : `${browser} ${version}`
  })
}

function childrenOf(group: Identifier): readonly (readonly [name: string, entry: Identifier])[] {
  return Object.keys(group).flatMap((name) => {
    const entry = group[name]
    return entry && name !== '__compat' ? [[name, entry] as const] : []
  })
}

/** The number of `≤37` or `15.4`; NaN for a preview. */
function numberOf(version: string): number {
  return Number.parseFloat(version.replace('≤', ''))
}

/**
 * Members by name. Newer interfaces are left out, because their own names are found. Elements are
 * not: a document creates them by their tags.
 */
function knownMembers(): ReadonlyMap<string, readonly Identifier[]> {
  const known = new Map<string, Identifier[]>()
  const add = (name: string, entry: Identifier) =>
    entry.__compat && known.set(name, [...(known.get(name) ?? []), entry])
  for (const [owner, entry] of [...childrenOf(bcd.api), ...childrenOf(builtins)]) {
    // A function of the window.
    if (/^[a-z]/.test(owner)) add(owner, entry)
    if (lackedBy(entry).length > 0 && !/^(HTML|SVG)/.test(owner)) continue
    for (const [name, member] of childrenOf(entry)) if (!/_(static|event)$/.test(name)) add(name, member)
  }
  return known
}

/** A node of a syntax tree. */
type Node = { readonly type: string; readonly [field: string]: unknown }

/** Finds globals, their constructors and members, and the members of everything else. */
function usesInScript(path: string, text: string): readonly Use[] {
  const declared = new Set<string>()
  const uses: (() => Use)[] = []
  const nameOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? String(node.name) : '')
  const isGlobal = (name: string) => name !== '' && !declared.has(name)
  const of = (...entries: readonly (Identifier | undefined)[]) =>
    entries.flatMap((entry) => (entry?.__compat ? entry : []))

  function visit(node: unknown, role = ''): void {
    if (Array.isArray(node)) for (const each of node) visit(each, role)
    if (!isNode(node)) return
    const name = nameOf(node)
    if (name && role === 'declares') declared.add(name)
    else if (name && role !== 'names')
      uses.push(() => [name, isGlobal(name) ? of(bcd.api[name], bcd.api.Window?.[name], builtins[name]) : []])
    if (node.type === 'NewExpression') {
      const made = nameOf(node.callee)
      uses.push(() => [made, isGlobal(made) ? of(bcd.api[made]?.[made], builtins[made]?.[made]) : []])
    }
    if (node.type === 'MemberExpression' && !node.computed) {
      const [object, member] = [nameOf(node.object), nameOf(node.property)]
      const ofGlobal = () => of(bcd.api[object]?.[`${member}_static`], builtins[object]?.[member])
      uses.push(() => {
        const known = isGlobal(object) ? ofGlobal() : []
        // The method of arrays, not our field.
        const called = role === 'called' && member === 'at' ? 'at()' : member
        return known.length > 0 ? [`${object}.${member}`, known] : [called, members.get(member) ?? []]
      })
    }
    if (node.regex && /\(\?<[=!]/.test(String(node.raw)))
      uses.push(() => ['(?<=', of(bcd.javascript.regular_expressions?.lookbehind_assertion)])
    for (const [field, child] of Object.entries(node)) visit(child, roleOf(node, field, role))
  }

  visit(parseSync(path, text).program)
  return uses.map((use) => use())
}

/** The role of the names in a field of a node: declarations, names of members, or uses. */
function roleOf({ type, computed }: Node, field: string, role: string): string {
  if (type === 'VariableDeclarator' && field === 'id') return 'declares'
  if (/Function|Class/.test(type) && (field === 'id' || field === 'params')) return 'declares'
  if (type === 'CatchClause' && field === 'param') return 'declares'
  if (/^Import.*Specifier$/.test(type)) return field === 'local' ? 'declares' : 'names'
  if (/^Export.*Specifier$/.test(type)) return 'names'
  if (type === 'CallExpression' && field === 'callee') return 'called'
  if (!computed && (field === 'key' || (type === 'MemberExpression' && field === 'property'))) return 'names'
  // In a pattern, defaults are uses, and the rest are declarations.
  return /Pattern|RestElement|Property/.test(type) && field !== 'right' ? role : ''
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Finds properties, functions, rules and pseudo-classes. */
function usesInStyles(text: string): readonly Use[] {
  const css = text.replace(/\/\*.*?\*\//gs, '')
  const find = (pattern: RegExp) => [...css.matchAll(pattern)].map(([, name = '']) => name)
  const entriesIn = (group: Identifier | undefined, name: string) => (group?.[name]?.__compat ? [group[name]] : [])
  const { properties, selectors, types, 'at-rules': rules } = bcd.css
  return [
    ...find(/[{;]\s*([a-z][a-z-]*):/g).map((name): Use => [name, entriesIn(properties, name)]),
    ...find(/@([a-z-]+)/g).map((name): Use => [`@${name}`, entriesIn(rules, name)]),
    ...find(/::?([a-z-]+)[^;{}]*\{/g).map((name): Use => [`:${name}`, entriesIn(selectors, name)]),
    ...find(/([a-z][a-z-]*)\(/g).map(
      (name): Use => [
        `${name}()`,
        [types ?? {}, ...childrenOf(types ?? {}).map(([, type]) => type)].flatMap((type) => entriesIn(type, name)),
      ],
    ),
  ]
}

/** Whether a file has the developer's notes, which payers never load. */
function isForDevelopers(path: string): boolean {
  return (
    existsSync(join(root, `${path}.map`)) &&
    readFileSync(join(root, `${path}.map`), 'utf8').includes('developer/draw.ts"')
  )
}
