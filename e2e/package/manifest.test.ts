/** Editors are told exactly what the element has. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../../scripts/paths.ts'
import { eventNames, PaywindowElement } from '../../src/element/paywindow-element.ts'
import { attributeNames, propertyOf, ReflectingElement } from '../../src/element/reflecting-element.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort()

const manifest = JSON.parse(read(packageJson.customElements)).modules[0].declarations[0]
const element = JSON.parse(read(packageJson['web-types'])).contributions.html.elements[0]
const [tag] = JSON.parse(read('dist/html-custom-data.json')).tags

it('its attributes', () => {
  const expected = [...attributeNames].sort()
  expect(namesOf(manifest.attributes)).toEqual(expected)
  expect(namesOf(element.attributes)).toEqual(expected)
  expect(namesOf(tag.attributes)).toEqual(expected)
})

it('its properties, and the attributes that they read and write', () => {
  const accessors = [PaywindowElement, ReflectingElement].flatMap(({ prototype }) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { set }]) => (set ? [name] : [])),
  )
  expect(accessors).toContain('texts')
  expect(namesOf(manifest.members)).toEqual(accessors.sort())
  expect(namesOf(element.js.properties)).toEqual(accessors)
  const reflected = attributeNames.map((attribute) => [attribute, propertyOf(attribute)])
  const members: { name: string; attribute?: string; reflects?: boolean }[] = manifest.members
  expect(Object.fromEntries(members.flatMap((each) => (each.reflects ? [[each.attribute, each.name]] : [])))).toEqual(
    Object.fromEntries(reflected),
  )
  const attributes: { name: string; fieldName: string }[] = manifest.attributes
  expect(Object.fromEntries(attributes.map(({ name, fieldName }) => [name, fieldName]))).toEqual(
    Object.fromEntries(reflected),
  )
})

it('its events', () => {
  const expected = Object.values(eventNames).sort()
  expect(namesOf(manifest.events)).toEqual(expected)
  expect(namesOf(element.js.events)).toEqual(expected)
})

it('its parts', () => {
  const sources = globSync('src/react/**/*.tsx', { cwd: root }).filter((path) => !/\.test(ing)?\.tsx$/.test(path))
  const parts = sources.flatMap((path) => [...read(path).matchAll(/\bpart="(\w+)"/g)].map(([, part]) => part))
  const expected = [...new Set(parts)].sort()
  expect(expected.length).toBeGreaterThan(10)
  expect(namesOf(manifest.cssParts)).toEqual(expected)
  expect(namesOf(element.css.parts)).toEqual(expected)
})

it('its custom properties', () => {
  const used = [...read('src/react/styles.css').matchAll(/var\((--pw-[\w-]+)/g)].map(([, name]) => name)
  expect(namesOf(manifest.cssProperties)).toEqual([...new Set(used)].sort())
})

it('says of each what it means', () => {
  const { attributes, members, events, cssParts, cssProperties } = manifest
  for (const { name, description } of [...attributes, ...members, ...events, ...cssParts, ...cssProperties])
    expect(description, name).toMatch(/\w/)
  const typeOf = (wanted: string) => manifest.attributes.find(({ name }: { name: string }) => name === wanted).type.text
  expect(['theme', 'notify', 'asset'].map(typeOf)).toEqual([`'light' | 'dark' | 'auto'`, 'boolean', 'string'])
  expect(manifest.members.find(({ name }: { name: string }) => name === 'notify').description).not.toContain('`false`')
})
