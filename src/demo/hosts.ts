/**
 * Which names the shop answers to. A page of another site can have its own name lead to this machine, and would then read what
 * the shop answers as its own (DNS rebinding): so a name is believed only when it is one of this machine, or was allowed.
 */
import { plain } from './headers.ts'

interface Site {
  fetch(request: Request): Promise<Response>
}

/** Names of this machine. At any port: a browser names the one it came to, which a forwarding may have changed. */
const own: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** @param others - Further names, without ports. */
export function answeringTo(others: readonly string[], site: Site): Site {
  const names = new Set([...own, ...others.map((name) => name.toLowerCase())])
  return {
    fetch: async (request) =>
      names.has(new URL(request.url).hostname)
        ? site.fetch(request)
        : plain('This shop does not answer to that name: allow it with PAYWINDOW_DEMO_HOSTS.', 403),
  }
}

/** Names of a list with commas. */
export function readHosts(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
