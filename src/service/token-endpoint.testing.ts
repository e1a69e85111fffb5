/** For tests: client credentials whose token endpoint is a function, in virtual time. */
import { clientCredentials } from './client-credentials.ts'
import type { ClientCredentialsOptions } from './token-settings.ts'
import { createVirtualClock } from './virtual-clock.testing.ts'

/** The id and the secret of RFC 6749, section 2.3.1. */
export const rfcClient = { clientId: 's6BhdRkqt3', clientSecret: '7Fjfp0ZBr1KtDRbnfVdmIw' }

/** An answer that gives a token. */
export function gives(token: string, fields: object = { expires_in: 3_600 }): Response {
  return Response.json({ access_token: token, token_type: 'Bearer', ...fields })
}

/**
 * A provider, its clock, and the requests that reached the endpoint. `answer` gets the number of
 * the request, from 1.
 */
export function setUpToken(
  answer: (count: number, request: Request) => Response | Promise<Response>,
  options: Partial<ClientCredentialsOptions> = {},
) {
  const clock = createVirtualClock()
  const requests: Request[] = []
  const provider = clientCredentials({
    tokenUrl: 'https://service.example/oauth/token',
    ...rfcClient,
    clock,
    ...options,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      requests.push(request.clone())
      return answer(requests.length, request)
    },
  })
  const get = () => clock.run(provider.get())
  const pass = (ms: number) => clock.run(clock.sleep(ms))
  return { provider, clock, requests, get, pass }
}
