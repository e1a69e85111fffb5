/** The part of the library that is used here: its own types are those of Express. */
declare module 'compression' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /** Compresses what the next handler answers, where the browser can read it and `filter` agrees. */
  export default function compression(options: {
    filter: (request: IncomingMessage, response: ServerResponse) => boolean
  }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}
