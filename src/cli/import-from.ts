/** Packages of the merchant's project, which this package does not have itself. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Imports a package that is installed in a folder. @returns Undefined where it is not installed.
 */
export async function importFrom(folder: string, name: string): Promise<unknown> {
  let path: string
  try {
    path = createRequire(join(folder, 'package.json')).resolve(name)
  } catch {
    // Not installed.
    return undefined
  }
  return import(pathToFileURL(path).href)
}
