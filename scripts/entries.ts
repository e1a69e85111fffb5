/** What the package consists of: for every file name in dist, the source it is built from. */

import { languages } from '../src/locales/languages.ts'

/** React entry: react, react-dom and TanStack Query stay outside. */
export const reactEntries = { index: 'src/react/index.ts' }

/** Custom element with its own preact. Both are built together, so that they share one class. */
export const elementEntries = { element: 'src/element/index.ts', 'element-define': 'src/element/define.ts' }

/** Server side. Built together, so that an error thrown by one entry is an instance of the class another exports. */
export const serverEntries = {
  server: 'src/server/index.ts',
  'server-node': 'src/server/node.ts',
  service: 'src/service/index.ts',
  sandbox: 'src/sandbox/index.ts',
}

/** The command, an executable file beside the entries. */
export const cliEntry = { cli: 'src/cli/main.ts' }

/** The script tag: everything in one file. */
export const scriptEntry = { paywindow: 'src/element/script.ts' }

/** One file a language, which nobody imports by name. */
export const languageFiles = languages.map((language) => `src/locales/${language}.ts`)

/** What stands in the place of something else in the builds of the script and the element. */
export const standIns = ['src/element/react.ts', 'src/element/Later.tsx']

/** Entries that others import, which therefore have types and an API report. */
export const typedEntries = { ...reactEntries, ...elementEntries, ...serverEntries }
