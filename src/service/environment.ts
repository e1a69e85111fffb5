/** The service of a command or demo, from the environment. The library reads none. */

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
 * `service`: all three variables are set. `sandbox`: none is set, and `NODE_ENV` is not
 * `production`. `incomplete`: the variables in `missing` must be set before anything can start.
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
 * Reads the variables. Spaces around a value are dropped, and an empty value counts as not set.
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
