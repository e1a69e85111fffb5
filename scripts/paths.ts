/** Folders that several scripts work in. */
import { join } from 'node:path'

/** The root of the repository. Not by a URL: in tests that have a page, addresses are those of the page. */
export const root = join(import.meta.dirname, '..', '/')

/** What is made on the way to something else; gone with node_modules. */
export const cache = join(root, 'node_modules', '.cache', 'paywindow')
