/** Sees to the proxies that stand between browser and shop in the tests. Those that cannot be had are skipped, which is said. */
import { findPrograms, packages } from '../e2e/proxies/programs.ts'
import { installFromDebian } from './debian.ts'

const missing = () => Object.entries(packages).filter(([program]) => !findPrograms().includes(program))
installFromDebian(missing().map(([, name]) => name))
console.log(`For the tests: ${findPrograms().join(', ') || 'none'}`)
for (const [program, name] of missing())
  console.log(`The tests behind ${program} are SKIPPED. Install it (Debian: apt-get install ${name}).`)
