/** Which service a command or a demo talks to, as its environment says. Read by entry files only, never by the library. */

/**
 * The three variables that name a service.
 *
 * @example
 * ```ts
 * serviceVariables.every((name) => name.startsWith('PAYWINDOW_')) // => true
 * ```
 */
export const serviceVariables = ['PAYWINDOW_SERVICE_URL', 'PAYWINDOW_ACCESS_TOKEN', 'PAYWINDOW_SUB_ACCOUNT_ID'] as const

/**
 * Names of the environment variables.
 *
 * @example
 * ```ts
 * const token: ServiceVariable = 'PAYWINDOW_ACCESS_TOKEN'
 * ```
 */
export type ServiceVariable = (typeof serviceVariables)[number]

/**
 * `service`: all three are set. `sandbox`: none is, and this is not production. `incomplete`: `missing` must be set before
 * anything starts, either because some are set, or because none is and `NODE_ENV` is `production`.
 *
 * @example
 * ```ts
 * const usable = (environment: ServiceEnvironment) => environment.kind !== 'incomplete'
 * usable({ kind: 'sandbox' }) // => true
 * ```
 */
export type ServiceEnvironment =
  | { readonly kind: 'service'; readonly baseUrl: string; readonly accessToken: string; readonly subAccountId: string }
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'incomplete'; readonly missing: readonly ServiceVariable[]; readonly production: boolean }

/**
 * Reads the variables. One that is empty or all spaces counts as not set; spaces around a value are dropped.
 *
 * @example
 * ```ts
 * readServiceEnvironment({ PAYWINDOW_SERVICE_URL: 'https://service.example' }).kind // => 'incomplete'
 * ```
 */
export function readServiceEnvironment(env: Readonly<Record<string, string | undefined>>): ServiceEnvironment {
  const value = (name: ServiceVariable) => env[name]?.trim() ?? ''
  const missing = serviceVariables.filter((name) => value(name) === '')
  const production = env.NODE_ENV?.trim() === 'production'
  if (missing.length === 0) {
    return {
      kind: 'service',
      baseUrl: value('PAYWINDOW_SERVICE_URL'),
      accessToken: value('PAYWINDOW_ACCESS_TOKEN'),
      subAccountId: value('PAYWINDOW_SUB_ACCOUNT_ID'),
    }
  }
  if (missing.length === serviceVariables.length && !production) return { kind: 'sandbox' }
  return { kind: 'incomplete', missing, production }
}
