/** The shop's responses, with the headers that all of them have. */

/**
 * As strict as a shop's policy can be: nothing but the shop's own files, no inline script or style,
 * no eval, and no string may become HTML. The widget does all its work under this policy.
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

const htmlType = 'text/html; charset=utf-8'

/** An HTML page, with the cookie of a new visit if there is one. */
export function page(text: string, cookie?: string): Response {
  return answer(text, htmlType, cookie === undefined ? {} : { 'set-cookie': cookie })
}

/** An HTML page with an address in it, which nobody may keep. @param nonce - Of its styles. */
export function drawnPage(text: string, nonce: string): Response {
  const policy = contentSecurityPolicy.replace(`style-src 'self'`, `style-src 'self' 'nonce-${nonce}'`)
  return answer(text, htmlType, { 'cache-control': 'no-store', 'content-security-policy': policy })
}

/** An answer in JSON, which nobody may store. */
export function json(value: unknown, status = 200): Response {
  return answer(JSON.stringify(value), 'application/json', { 'cache-control': 'no-store' }, status)
}

/** A built file. Browsers ask each time whether it has changed. */
export function file(content: Uint8Array<ArrayBuffer>, type: string): Response {
  return answer(content, type)
}

/** A short text. */
export function plain(text: string, status: number): Response {
  return answer(`${text}\n`, 'text/plain; charset=utf-8', {}, status)
}

/** Answers a form by sending the browser to a page. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...always, location } })
}

function answer(body: BodyInit, type: string, headers: Record<string, string> = {}, status = 200): Response {
  return new Response(body, { status, headers: { ...always, 'content-type': type, ...headers } })
}
