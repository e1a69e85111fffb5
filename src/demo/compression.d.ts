/** Types for the part of the library that is used here: its own types are written for Express. */
declare module 'compression' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /**
   * Compresses the response of the next handler if the browser can read that and `filter` returns
   * true.
   */
  export default function compression(options?: {
    filter?: (request: IncomingMessage, response: ServerResponse) => boolean
  }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}
