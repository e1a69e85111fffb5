/**
 * What a bundler takes in place of the server entries when it bundles a page. Some bundlers pass over `"browser": null` and take what
 * comes after it, so the page would have the server in it, without a word. These files have no names to import, which stops a
 * build, and say why, which a page shows that is served for development.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the developer reads. The sources say which entry was imported, where the bundler does not. */
export const reason =
  "Paywindow's server code was loaded for a browser, where it must never run: it holds the service's access token. Pages import " +
  "'paywindow' or 'paywindow/element/define'; 'paywindow/server' and what belongs to it go into files that only your server loads. " +
  "(Workers import 'paywindow/server', not 'paywindow/server/node'. Tests of server code run in the environment `node`.)"

/** Writes the two files that package.json names under the condition `browser`. */
export function writeNotForBrowsers(dist: string): void {
  const text = `throw new Error(${JSON.stringify(reason)})\n`
  writeFileSync(join(dist, 'not-for-browsers.js'), `${text}export {}\n`)
  // For development servers and for `require`: as a module it would be refused for the missing names before it says a word.
  writeFileSync(join(dist, 'not-for-browsers.cjs'), text)
}
