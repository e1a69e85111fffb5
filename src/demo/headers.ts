/** What every answer of the shop says about itself. */

/**
 * As strict as a shop's policy can be: nothing but the shop's own files, no inline script or style, no eval, and no string
 * may become HTML. Whatever the widget does, it does under this.
 */
const contentSecurityPolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
].join('; ')

const always = {
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** A page, with the cookie of a new visit where there is one. */
export function page(text: string, cookie?: string): Response {
  return answer(text, 'text/html; charset=utf-8', cookie === undefined ? {} : { 'set-cookie': cookie })
}

/** Of answers in JSON, which nobody may keep. */
export function json(value: unknown, status = 200): Response {
  return answer(JSON.stringify(value), 'application/json', { 'cache-control': 'no-store' }, status)
}

/** Of built files; a browser asks each time whether they have changed. */
export function file(content: Uint8Array<ArrayBuffer>, type: string): Response {
  return answer(content, type)
}

/** Of short texts. */
export function plain(text: string, status: number): Response {
  return answer(`${text}\n`, 'text/plain; charset=utf-8', {}, status)
}

/** Answers a form: go and look at that page. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...always, location } })
}

function answer(body: BodyInit, type: string, headers: Record<string, string> = {}, status = 200): Response {
  return new Response(body, { status, headers: { ...always, 'content-type': type, ...headers } })
}
