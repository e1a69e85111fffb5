/** The programs of the proxies that tests put in front of a shop. */
import { spawnSync } from 'node:child_process'

/** Programs, each with the package of Debian that has it. */
export const packages = {
  nginx: 'nginx-light',
  apache2: 'apache2-bin',
  haproxy: 'haproxy',
  varnishd: 'varnish',
  // Makes the certificate for TLS.
  openssl: 'openssl',
} as const

export type Program = keyof typeof packages

/** Debian has some of them in a folder that is not on every path. */
export const proxyEnv = { ...process.env, PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin` }

const versionFlag: Readonly<Record<Program, string>> = {
  nginx: '-v',
  apache2: '-v',
  haproxy: '-v',
  varnishd: '-V',
  openssl: 'version',
}

/** Those that this machine has. */
export function findPrograms(): readonly string[] {
  return Object.entries(versionFlag)
    .filter(([program, flag]) => spawnSync(program, [flag], { env: proxyEnv, timeout: 20_000 }).status === 0)
    .map(([program]) => program)
}
