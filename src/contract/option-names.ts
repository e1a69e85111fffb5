import { PaywindowError } from './errors.ts'

/**
 * Refuses an option whose name nothing reads: a misspelt one would be a silent default.
 *
 * @param names - All names, as keys: `satisfies Record<keyof Options, 0>` keeps them complete.
 * @throws PaywindowError `invalid_options` naming it and those that there are.
 */
export function checkNames(whose: string, options: object, names: Readonly<Record<string, 0>>): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name))
  if (unknown === undefined) return
  throw new PaywindowError(
    'invalid_options',
    `${whose}: ${unknown} is no option. There are ${Object.keys(names).join(', ')}`,
  )
}
