/** `paywindow password`: makes the password of a shop's desk. */
import { variableOf } from '../serve/config.ts'
import { hashPassword, makePassword } from '../serve/desk/password.ts'
import type { World } from './world.ts'

/** Prints a new password, and the variable with its hash. It is kept nowhere. */
export async function printPassword(shop: string, world: World): Promise<void> {
  const password = makePassword()
  world.stdout(`The password of the desk of ${shop}, which is shown only now: put it into your password manager.

  ${password}

Where paywindow serve starts, set its hash, and start anew:

  export ${variableOf(shop, 'ADMIN_PASSWORD_HASH')}=${await hashPassword(password)}

Another password ends all sessions.
`)
}
