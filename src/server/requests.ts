/** Reads what a browser sends, within bounds, and refuses requests that another site's page made. */
import { PaywindowError } from '../contract/errors.ts'

const maxBodyBytes = 4_096

/**
 * Refuses a POST that a page of another site sent. Browsers name the site of every POST; a client without a browser has no
 * session that could be abused, and names none.
 *
 * @throws PaywindowError `forbidden_origin`
 */
export function checkOrigin(
  request: Request,
  allowed: { allowedOrigins: readonly string[]; publicOrigin?: string },
): void {
  const origin = request.headers.get('origin')
  if (origin !== null && allowed.allowedOrigins.includes(origin)) return
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin') return
  if (site === null && origin === null) return
  if (site === null && origin !== null && isOwnHost(origin, request, allowed.publicOrigin)) return
  throw new PaywindowError(
    'forbidden_origin',
    'This endpoint does not take requests from pages of that origin: add it to allowedOrigins if it should',
  )
}

function isOwnHost(origin: string, request: Request, publicOrigin: string | undefined): boolean {
  if (publicOrigin !== undefined) return origin === publicOrigin
  const host = request.headers.get('host') ?? new URL(request.url).host
  return URL.canParse(origin) && new URL(origin).host === host
}

/** @throws PaywindowError `invalid_request` for a page that is only being prepared: nobody sees it yet. */
export function refusePrefetch(request: Request): void {
  const purpose = request.headers.get('sec-purpose') ?? request.headers.get('purpose') ?? ''
  if (/prefetch|prerender/i.test(purpose))
    throw new PaywindowError('invalid_request', 'A checkout is only created for a page that somebody looks at')
}

/** @throws PaywindowError `unsupported_media_type`, `request_too_large`, `invalid_request` */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new PaywindowError('unsupported_media_type', 'Send JSON, with content-type: application/json')
  const text = await readText(request)
  try {
    return JSON.parse(text)
  } catch {
    throw new PaywindowError('invalid_request', 'The body is not JSON')
  }
}

async function readText(request: Request): Promise<string> {
  const reader = request.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    bytes += chunk.value.byteLength
    if (bytes > maxBodyBytes) {
      await reader?.cancel()
      throw new PaywindowError('request_too_large', `The body has more than ${maxBodyBytes} bytes`)
    }
    text += decoder.decode(chunk.value, { stream: true })
  }
  return text + decoder.decode()
}
