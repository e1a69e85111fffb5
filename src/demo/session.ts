/** Whose visit a request belongs to: a random name in a cookie that no script can read. */
import { randomBytes } from 'node:crypto'

const cookieName = 'lantern_session'

/** The session of a request, or null if it has none. */
export function readSession(request: Request): string | null {
  const cookies = request.headers.get('cookie') ?? ''
  return cookies.match(new RegExp(`(?:^|; )${cookieName}=([\\w-]{43})(?:;|$)`))?.[1] ?? null
}

/** A name that cannot be guessed, and the cookie that sends it back for one day. */
export function newSession(request: Request): { session: string; cookie: string } {
  const session = randomBytes(32).toString('base64url')
  const secure = new URL(request.url).protocol === 'https:' ? '; Secure' : ''
  return { session, cookie: `${cookieName}=${session}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax${secure}` }
}
