/** Holds the access token: asks the merchant's function for it once, and again only when the service refuses it. */
import { ServiceError } from './errors.ts'
import { type AccessTokenProvider, isHeaderToken, isProvider, type ServiceOptions } from './options.ts'

/** Where requests get the token from. */
export interface TokenSource {
  /** The token to send. Rejects with a `ServiceError` `unauthorized` when the merchant's function gives none. */
  get(): Promise<string>
  /** Records that a request gave up waiting. The next one calls the function again, so that a call that never ends does not block all requests. */
  tooLate(): void
  /** Records that the service refused this token. True when asking again may give another. */
  refused(token: string): boolean
}

/** A token given as text is refused for good; a function is called again; a provider decides by itself. */
export function createTokenSource(accessToken: ServiceOptions['accessToken']): TokenSource {
  if (typeof accessToken === 'string') return { get: async () => accessToken, tooLate: () => {}, refused: () => false }
  return isProvider(accessToken) ? fromProvider(accessToken) : fromFunction(accessToken)
}

function fromProvider(provider: AccessTokenProvider): TokenSource {
  return {
    get: async () => {
      let token: unknown
      try {
        token = await provider.get()
      } catch (error) {
        throw error instanceof ServiceError ? error : failed('The accessToken provider failed', error)
      }
      if (isHeaderToken(token)) return token
      throw failed('The accessToken provider gave no usable token')
    },
    tooLate: () => {},
    refused: (token) => provider.refused(token),
  }
}

function fromFunction(accessToken: () => string | Promise<string>): TokenSource {
  let held: Promise<string> | undefined
  let isAsking = false
  let refusedToken: string | undefined
  const ask = async () => {
    isAsking = true
    try {
      const token: unknown = await accessToken()
      if (isHeaderToken(token)) return token
    } catch (error) {
      throw failed('The accessToken function failed', error)
    }
    throw failed('The accessToken function returned no usable token')
  }
  return {
    get: () => {
      if (held) return held
      // Requests that start together share one call; a failure is not kept.
      const asking: Promise<string> = ask().then(
        (token) => {
          if (held === asking) isAsking = false
          if (token === refusedToken && held === asking) held = undefined
          return token
        },
        (error: unknown) => {
          if (held === asking) held = undefined
          throw error
        },
      )
      held = asking
      return asking
    },
    tooLate: () => {
      if (isAsking) held = undefined
    },
    refused: (token) => {
      // Only the first of several requests that were sent with this token drops it: the others find the new one.
      if (refusedToken !== token) {
        refusedToken = token
        held = undefined
      }
      return true
    },
  }
}

function failed(message: string, cause?: unknown): ServiceError {
  return new ServiceError('unauthorized', message, { outcome: 'not_done', ...(cause === undefined ? {} : { cause }) })
}
