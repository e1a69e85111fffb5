/**
 * A request and its answer, as they are passed on between a listener and the handler. The web's `Request` and `Response`, with their streams,
 * headers and signals, take more time than the rest of a poll and outlive it, so they are made only for those who ask for them.
 */

/** A request that has arrived, but for its body. */
export interface Incoming {
  /** In capitals. */
  readonly method: string
  readonly url: URL
  /** Whether a client on this machine has connected to the very port that the address names. Undefined where nobody knows. */
  readonly isFromHere?: boolean
  /** Null where there is none. @param name - In small letters. */
  header(name: string): string | null
  /** The same request with its body, for the merchant's code. Always the same object. */
  web(): Request
}

/** What is sent back. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | null
  /** Each is a header `set-cookie`: of a shop that has wrapped the server's `fetch`. */
  readonly cookies?: readonly string[]
}

/** Never rejects. */
export type Respond = (request: Incoming) => Promise<Answer>

/** A server as the web knows it. */
export interface FetchServer {
  fetch(request: Request): Promise<Response>
}

const responds = new WeakMap<FetchServer['fetch'], Respond>()

/** The `fetch` of a server that responds like this. A listener of ours goes without it. */
export function toFetch(respond: Respond): FetchServer['fetch'] {
  const fetch: FetchServer['fetch'] = async (request) => {
    const { status, headers, body } = await respond(fromWeb(request))
    return new Response(body, { status, headers })
  }
  responds.set(fetch, respond)
  return fetch
}

/** How a server responds: as it was given to `toFetch`, else by its `fetch`. */
export function respondOf(server: FetchServer): Respond {
  return responds.get(server.fetch) ?? (async (request) => answerOf(await server.fetch(request.web())))
}

/** Reads all of a response. */
export async function answerOf(response: Response): Promise<Answer> {
  const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer())
  const { 'set-cookie': _, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body, cookies: response.headers.getSetCookie() }
}

function fromWeb(request: Request): Incoming {
  return {
    method: request.method,
    url: new URL(request.url),
    header: (name) => request.headers.get(name),
    web: () => request,
  }
}
