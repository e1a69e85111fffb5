/**
 * `node plugins/pack.ts`: writes the plug-ins for shops in PHP as files that their admin pages take,
 * `paywindow-woocommerce.zip` and `paywindow.ocmod.zip`, into the folder of the argument, or this one.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const here = import.meta.dirname

/** What is inside, and where the code that the plug-ins share stands. */
const plugins = {
  woocommerce: { zip: 'paywindow-woocommerce.zip', inside: 'paywindow', library: 'lib' },
  opencart: { zip: 'paywindow.ocmod.zip', inside: '.', library: 'system/library' },
} as const

/** Copies a plug-in, with the files that it shares, as its zip has it. */
export function copyPlugin(name: keyof typeof plugins, folder: string): void {
  const { inside, library } = plugins[name]
  const target = join(folder, inside)
  cpSync(join(here, name), target, { recursive: true })
  mkdirSync(join(target, library), { recursive: true })
  cpSync(join(here, 'orders.php'), join(target, library, 'orders.php'))
  cpSync(join(here, '../examples/languages/paywindow.php'), join(target, library, 'paywindow.php'))
}

if (import.meta.main) {
  for (const name of Object.keys(plugins) as (keyof typeof plugins)[]) {
    const { zip, inside } = plugins[name]
    const folder = mkdtempSync(join(tmpdir(), 'paywindow-plugin-'))
    copyPlugin(name, folder)
    const file = join(resolve(process.argv[2] ?? here), zip)
    rmSync(file, { force: true })
    const { status } = spawnSync('zip', ['-qrX', file, inside], { cwd: folder, stdio: 'inherit' })
    rmSync(folder, { recursive: true })
    if (status !== 0) throw new Error('There is no zip: install it (Debian: apt-get install zip)')
    console.log(file)
  }
}
