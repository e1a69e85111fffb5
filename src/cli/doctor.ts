/** `paywindow doctor`: what is wrong with a shop's set-up, and what to do. Creates no order and changes no record. */
import { checkService } from './doctor-service.ts'
import { checkStore } from './doctor-store.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { type Finding, withoutSecrets } from './finding.ts'
import type { StoreOptions } from './shop.ts'
import { jsonText, plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow doctor`, as the command line gives them. */
export interface DoctorOptions extends StoreOptions {
  readonly json?: boolean
}

const signs: Readonly<Record<Finding['result'], string>> = { ok: '✓', note: '–', wrong: '✗' }

/** Prints a line for each check. @throws CommandFailure, exit code 1, when something is wrong. */
export async function runDoctor({ json, ...options }: DoctorOptions, world: World): Promise<void> {
  const hidden = withoutSecrets(world)
  const found = [...(await checkService(world)), ...(await checkStore(options, world))]
  const findings = found.map((finding) => ({ ...finding, words: plainLine(hidden(finding.words), 500) }))
  const lines = findings.map(({ check, result, words }) => `${signs[result]} ${check}: ${words}\n`)
  world.stdout(json ? jsonText(findings) : lines.join(''))
  const wrong = findings.filter(({ result }) => result === 'wrong').length
  if (wrong > 0)
    throw new CommandFailure(exitCodes.failed, `${wrong} ${wrong === 1 ? 'check' : 'checks'} found something wrong.`)
}
