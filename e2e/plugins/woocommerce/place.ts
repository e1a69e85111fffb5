/**
 * Where WordPress is: in a folder of PAYWINDOW_WORDPRESS, or where scripts/programs.ts unpacks
 * Debian's.
 */
import { join } from 'node:path'
import { cache } from '../../../scripts/paths.ts'

const given = process.env.PAYWINDOW_WORDPRESS
const unpacked = join(cache, 'wordpress')

export const wordpress = {
  isGiven: given !== undefined,
  unpacked,
  folder: given ?? join(unpacked, 'usr/share/wordpress'),
} as const
