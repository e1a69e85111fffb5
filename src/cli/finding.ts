/** What a check has found, in one line. */
import type { World } from './world.ts'

/** `note`: nothing is wrong, or it cannot be known. */
export interface Finding {
  readonly check: string
  readonly result: 'ok' | 'note' | 'wrong'
  readonly words: string
}

/** Names what was checked once, for several findings. */
export function findingsOf(check: string) {
  const finding =
    (result: Finding['result']) =>
    (words: string): Finding => ({ check, result, words })
  return { ok: finding('ok'), note: finding('note'), wrong: finding('wrong') }
}

/** Returns a function that takes the environment's secrets out of a text: a service or a database may repeat them in its refusals. */
export function withoutSecrets({ env }: Pick<World, 'env'>): (text: string) => string {
  const url = env.DATABASE_URL ?? ''
  const password = URL.canParse(url) ? new URL(url).password : ''
  const secrets = [env.PAYWINDOW_ACCESS_TOKEN?.trim(), url, decoded(password), password]
  return (text) => secrets.reduce<string>((kept, secret) => (secret ? kept.replaceAll(secret, '…') : kept), text)
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    // A password with a lone % is what it is.
    return password
  }
}
