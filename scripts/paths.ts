/** Folders that scripts share. */
import { join } from 'node:path'

/** The root of the repository. Not by a URL: in tests with a page, URLs are those of the page. */
export const root = join(import.meta.dirname, '..', '/')

/** Intermediate files, deleted with node_modules. */
export const cache = join(root, 'node_modules', '.cache', 'paywindow')
