/**
 * Writes files that bundlers of pages take in place of the server entries: some bundlers ignore
 * `"browser": null` and would bundle the server. These files export no names, which stops a build,
 * and throw an error with the reason, which a development server shows.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The reason for the developer. It names no entry: bundlers show the importing source. */
export const reason =
  "Paywindow's server code was loaded for a browser, where it must never run: it holds the service's access token. Pages import " +
  "'paywindow' or 'paywindow/element/define'; 'paywindow/server' and what belongs to it go into files that only your server loads. " +
  "(Workers import 'paywindow/server', not 'paywindow/server/node'. Tests of server code run in the environment `node`.)"

/** Writes the two files that package.json names under the condition `browser`. */
export function writeNotForBrowsers(dist: string): void {
  const text = `throw new Error(${JSON.stringify(reason)})\n`
  writeFileSync(join(dist, 'not-for-browsers.js'), `${text}export {}\n`)
  // For development servers and `require`: a module would fail for its missing names first.
  writeFileSync(join(dist, 'not-for-browsers.cjs'), text)
}
