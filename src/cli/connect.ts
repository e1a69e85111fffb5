/** Access to the service that the environment names. */
import { createServiceClient } from '../service/client.ts'
import { readServiceEnvironment, serviceVariables } from '../service/environment.ts'
import type { ServiceClient, ServiceOptions } from '../service/index.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import type { World } from './world.ts'

/**
 * Creates a client of the service.
 *
 * @throws CommandFailure with the missing variables; PaywindowError when a variable has a wrong
 *   value.
 */
export function connect(world: World): ServiceClient {
  return createServiceClient(access(world))
}

/** Reads the options of a client. @throws CommandFailure with the missing variables. */
export function access({ env, fetch }: World): ServiceOptions {
  const environment = readServiceEnvironment(env)
  switch (environment.kind) {
    case 'service':
      return {
        baseUrl: environment.baseUrl,
        accessToken: environment.accessToken,
        subAccountId: environment.subAccountId,
        fetch,
      }
    case 'sandbox':
      throw new CommandFailure(
        exitCodes.usage,
        `No service is configured: set ${enumerate(serviceVariables)}. ` +
          'To try this without one, run “npx paywindow sandbox” and set the variables it prints.',
      )
    case 'incomplete':
      throw new CommandFailure(exitCodes.usage, `Not set: ${enumerate(environment.missing)}.`)
  }
}

function enumerate(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' and $1')
}
