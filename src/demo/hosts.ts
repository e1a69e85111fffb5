/**
 * Which host names the shop answers to. Another site can make its own name resolve to this machine,
 * and its page could then read the shop's answers as its own (DNS rebinding). So a name is accepted
 * only if it is one of this machine's or was allowed.
 */
import { plain } from './headers.ts'

interface Site {
  fetch(request: Request): Promise<Response>
}

/** Names of this machine, with any port: a browser names the port that it connected to, which forwarding may have changed. The
 * commands have the same list (`cli/listen.ts`), which no public entry exports. */
const own: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The site, answering only to its own names. @param others - Further names, without ports. */
export function answeringTo(others: readonly string[], site: Site): Site {
  const names = new Set([...own, ...others.map((name) => name.toLowerCase())])
  return {
    fetch: async (request) => {
      if (!names.has(new URL(request.url).hostname))
        return plain('This shop does not accept that host name. Add it to PAYWINDOW_DEMO_HOSTS.', 403)
      return isOfOtherPage(request) ? plain('This shop takes its own forms only.', 403) : site.fetch(request)
    },
  }
}

/**
 * A page on another port of the same host is one too, and browsers send the session's cookie with
 * its forms.
 */
function isOfOtherPage({ method, headers, url }: Request): boolean {
  const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')]
  // Older browsers name the origin alone.
  const isOther =
    site === null
      ? origin !== null && URL.parse(origin)?.host !== new URL(url).host
      : ['cross-site', 'same-site'].includes(site)
  // Paywindow looks at this by itself, and says what to set where a proxy hides the host.
  return method !== 'GET' && isOther && !new URL(url).pathname.startsWith('/paywindow/')
}

/** The names in a comma-separated list. */
export function readHosts(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
