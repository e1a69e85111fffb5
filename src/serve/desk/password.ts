/**
 * The password of a desk, and its hash. Node's own scrypt: it is kept with Node, has the parameters
 * that OWASP names, and adds nothing to what a shop installs.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** N = 2^15, r = 8, p = 3: 32 MB, and a tenth of a second. */
const cost = { log: 15, blocks: 8, parallel: 3 } as const
const keyBytes = 32
/** Has nothing that shells and files of variables read as something else. */
const form = /^scrypt:(\d{1,2}):(\d{1,2}):(\d{1,2}):([\w-]{22,86}):([\w-]{43})$/
/** No letter looks like a digit. */
const letters = '23456789abcdefghjkmnpqrstuvwxyz'

/** Makes a password of 99 bits, to be kept by a password manager and typed where need be. */
export function makePassword(): string {
  // 248 is 8 times 31: so all letters are equally likely.
  const usable = () => [...randomBytes(64)].filter((byte) => byte < 248)
  const text = Array.from(usable(), (byte) => letters[byte % letters.length]).join('')
  return [0, 5, 10, 15].map((at) => text.slice(at, at + 5)).join('-')
}

/**
 * The text that stands in the environment in place of a password. @param cost - Tests take less.
 */
export async function hashPassword(password: string, { log, blocks, parallel }: Cost = cost): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, { log, blocks, parallel })
  return `scrypt:${log}:${blocks}:${parallel}:${salt.toString('base64url')}:${key.toString('base64url')}`
}

/** Whether a text is of `hashPassword`, and no more costly than a server can bear. */
export function isPasswordHash(text: string): boolean {
  const found = read(text)
  if (found === null || found.log < 14 || found.log > 17 || found.blocks !== 8) return false
  return found.parallel >= 1 && found.parallel <= 8
}

/** When the last one before is done. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Takes as long for any password. One at a time for all desks: strangers must not take all threads
 * of the process, which look up the names of hosts, too.
 *
 * @param hash - As `isPasswordHash` accepts it.
 */
export async function isPasswordOf(hash: string, password: string): Promise<boolean> {
  const found = read(hash)
  if (!found) throw new TypeError('This is no hash of a password')
  const derived = turn.then(() => derive(password, found.salt, found))
  turn = derived.catch(() => undefined)
  return timingSafeEqual(await derived, found.key)
}

interface Cost {
  readonly log: number
  readonly blocks: number
  readonly parallel: number
}

function read(text: string) {
  const [, log, blocks, parallel, salt = '', key = ''] = form.exec(text) ?? []
  if (key === '') return null
  return {
    log: Number(log),
    blocks: Number(blocks),
    parallel: Number(parallel),
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  }
}

function derive(password: string, salt: Buffer, { log, blocks, parallel }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log, r: blocks, p: parallel, maxmem: 2 ** (log + 8) * blocks }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
