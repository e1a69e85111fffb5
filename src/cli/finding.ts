/** Findings of checks, and how they are printed. */
import { CommandFailure, exitCodes } from './failure.ts'
import { counted, decoded, jsonText, plainLine } from './text.ts'
import type { World } from './world.ts'

/** A result of a check, in one line. `note`: nothing is wrong, or the check could not tell. */
export interface Finding {
  readonly check: string
  readonly result: 'ok' | 'note' | 'wrong'
  readonly words: string
}

/** Returns makers of findings with the same name. */
export function findingsOf(check: string) {
  const finding =
    (result: Finding['result']) =>
    (words: string): Finding => ({ check, result, words })
  return { ok: finding('ok'), note: finding('note'), wrong: finding('wrong') }
}

const signs: Readonly<Record<Finding['result'], string>> = { ok: '✓', note: '–', wrong: '✗' }

/** Prints a line for each finding. @throws CommandFailure, exit code 1, when a finding is wrong. */
export function printFindings(
  found: readonly Finding[],
  { json = false }: { readonly json?: boolean | undefined },
  world: World,
): void {
  const hidden = withoutSecrets(world)
  const findings = found.map((finding) => ({ ...finding, words: plainLine(hidden(finding.words), 500) }))
  const lines = findings.map(({ check, result, words }) => `${signs[result]} ${check}: ${words}\n`)
  world.stdout(json ? jsonText(findings) : lines.join(''))
  const wrong = findings.filter(({ result }) => result === 'wrong').length
  if (wrong > 0) throw new CommandFailure(exitCodes.failed, `${counted(wrong, 'check')} found something wrong.`)
}

/** A service or a database may repeat the environment's secrets in its refusals. */
function withoutSecrets({ env }: Pick<World, 'env'>): (text: string) => string {
  const url = env.DATABASE_URL ?? ''
  const password = URL.canParse(url) ? new URL(url).password : ''
  const secrets = [env.PAYWINDOW_ACCESS_TOKEN?.trim(), url, decoded(password), password]
  return (text) => secrets.reduce<string>((kept, secret) => (secret ? kept.replaceAll(secret, '…') : kept), text)
}
