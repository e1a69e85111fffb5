/** The built files where there is no DOM: on a server that draws pages. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { core } from './test.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

test('the React component draws its shell, and asks nobody', core, () => {
  const html = run(`
    import { createElement } from 'react'
    import { renderToString } from 'react-dom/server'
    import { Paywindow } from 'paywindow'
    globalThis.fetch = () => { throw new Error('asked') }
    const props = { endpoint: '/paywindow', reference: 'cart-42', handoverUrl: '/pay' }
    console.log(renderToString(createElement(Paywindow, props)))`)
  expect(html).toContain('data-view="preparing"')
  expect(html).toContain('Preparing your payment…')
  expect(html).toContain('pw-bone')
})

test('the element can be imported, and registers nothing', core, () => {
  expect(run(`import * as element from 'paywindow/element'; console.log(typeof element.PaywindowElement)`)).toBe(
    'function',
  )
  expect(run(`import 'paywindow/element/define'; console.log('imported')`)).toBe('imported')
})

/** What a module prints that Node runs beside the package. */
function run(source: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: dist,
    encoding: 'utf8',
  }).trim()
}
