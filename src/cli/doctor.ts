/** `paywindow doctor`: what is wrong with a shop's set-up, and what to do. Creates no order and changes no record. */
import { checkService } from './doctor-service.ts'
import { checkStore } from './doctor-store.ts'
import { printFindings } from './finding.ts'
import type { StoreOptions } from './on-store.ts'
import type { World } from './world.ts'

/** Options of `paywindow doctor`, as the command line gives them. */
export interface DoctorOptions extends StoreOptions {
  readonly json?: boolean
}

/** Prints a line for each check. @throws CommandFailure, exit code 1, when something is wrong. */
export async function runDoctor({ json, ...options }: DoctorOptions, world: World): Promise<void> {
  printFindings([...(await checkService(world)), ...(await checkStore(options, world))], { json }, world)
}
