/** Folders that several scripts work in. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** What is made on the way to something else; gone with node_modules. */
export const cache = join(root, 'node_modules', '.cache', 'paywindow')
