/**
 * Who has signed in at a desk. Sessions are in the shop's store, so that all processes know them.
 */
import { randomBytes } from 'node:crypto'
import { PaywindowError } from '../../contract/errors.ts'
import { asInteger, asRecord, asText } from '../../contract/parse.ts'
import { createClientLimit } from '../../server/http/clients.ts'
import type { Incoming } from '../../server/http/exchange.ts'
import { hashOf, sameSecret } from '../../server/records/ids.ts'
import type { Store } from '../../server/store/store.ts'
import { isPasswordOf } from './password.ts'

/** A session ends after this time, whatever is done in it. */
const wholeMs = 8 * 3_600_000
/** It ends sooner where nothing is done. */
const idleMs = 30 * 60_000
/** A session's last use is written at most so often. */
const notedEveryMs = 60_000
/** Tries that a client, and all clients together, have in ten minutes. */
const mostTries = { ofClient: 10, ofAll: 100 } as const
const longestPassword = 200
const queue = 'desk'
const forgottenAtOnce = 20

interface SessionParts {
  /** The shop's name. */
  readonly name: string
  /** Where the desk is, as browsers see it. */
  readonly url: URL
  readonly store: Pick<Store, 'create' | 'read' | 'replace' | 'remove' | 'listDue'>
  readonly passwordHash: string
  /** Default: it is, if it has that hash. */
  readonly isPassword?: typeof isPasswordOf
  /** Names the client of a request. */
  readonly clientKey: (request: Request) => string | undefined
  readonly now: () => number
}

/** Somebody who has signed in. */
export interface Session {
  /** Forms of this session's pages have it. */
  readonly token: string
}

/** Cookie of a browser, as the header `set-cookie`. */
type Cookie = string

/** Begins and ends sessions. */
export interface Sessions {
  find(request: Incoming): Promise<Session | null>
  /** Null for a wrong password. @throws PaywindowError `rate_limited` */
  begin(request: Incoming, password: string): Promise<Cookie | null>
  end(request: Incoming): Promise<Cookie>
  /** Whether a form is of this session's own page. */
  isOwnForm(session: Session, token: string): boolean
}

/** For one shop. */
export function createSessions({ isPassword = isPasswordOf, ...parts }: SessionParts): Sessions {
  const { name, url, store, passwordHash, clientKey, now } = parts
  const isSecure = url.protocol === 'https:'
  const cookieName = `${isSecure ? '__Host-' : ''}paywindow-${name}-desk`
  // `__Host-` wants the whole site.
  const attributes = `Path=${isSecure ? '/' : url.pathname}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  // Another password ends all sessions.
  const password = hashOf(passwordHash)
  const ofClient = createClientLimit(mostTries.ofClient, now)
  const ofAll = createClientLimit(mostTries.ofAll, now)

  const idOf = (request: Incoming) => {
    const pairs = (request.header('cookie') ?? '').split(';').map((pair) => pair.trim())
    const value = pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
  }
  const keyOf = (id: string) => `desk ${hashOf(id)}`
  const recordOf = (id: string, beganMs: number) => ({
    key: keyOf(id),
    value: JSON.stringify({ v: 1, password, beganMs, usedMs: now() }),
    due: [{ queue, atMs: Math.min(beganMs + wholeMs, now() + idleMs) }],
    labels: [],
  })

  /** Anybody can try, and each try takes memory and time. */
  function countTry(request: Incoming): void {
    const client = clientKey(request.web()) ?? ''
    ofClient.check(client)
    ofAll.check('')
    ofClient.note(client)
    ofAll.note('')
  }

  async function remove(id: string | undefined): Promise<void> {
    const found = id === undefined ? undefined : await store.read(keyOf(id))
    if (!found || (await store.remove(found.key, found.version))) return
    // Its last use was noted meanwhile.
    await remove(id)
  }

  return {
    find: async (request) => {
      const id = idOf(request)
      const found = id === undefined ? undefined : await store.read(keyOf(id))
      if (id === undefined || !found) return null
      const session = parse(found.value)
      // A time ahead was written by a wrong clock, and nobody should be signed in until it has
      // come.
      const isOver = Math.abs(now() - session.beganMs) >= wholeMs || Math.abs(now() - session.usedMs) >= idleMs
      if (isOver || session.password !== password) {
        await remove(id)
        return null
      }
      // Whoever is first notes it.
      if (now() - session.usedMs >= notedEveryMs) await store.replace(recordOf(id, session.beganMs), found.version)
      return { token: tokenOf(id) }
    },
    begin: async (request, given) => {
      countTry(request)
      if (given.length > longestPassword || !(await isPassword(passwordHash, given))) return null
      // What a browser had before, somebody else may have given it.
      await remove(idOf(request))
      for (const old of await store.listDue(queue, now(), forgottenAtOnce)) await store.remove(old.key, old.version)
      const id = randomBytes(32).toString('base64url')
      if (!(await store.create(recordOf(id, now())))) throw new PaywindowError('internal', 'The session exists already')
      return `${cookieName}=${id}; Max-Age=${wholeMs / 1_000}; ${attributes}`
    },
    end: async (request) => {
      await remove(idOf(request))
      return `${cookieName}=; Max-Age=0; ${attributes}`
    },
    isOwnForm: ({ token }, given) => sameSecret(token, given),
  }
}

/** Of the id alone, so that only whoever has the cookie's page knows it. */
function tokenOf(id: string): string {
  return hashOf(`form ${id}`)
}

function parse(value: string) {
  const { password, beganMs, usedMs } = asRecord(JSON.parse(value), 'a session')
  return {
    password: asText(password, 'password'),
    beganMs: asInteger(beganMs, 'beganMs'),
    usedMs: asInteger(usedMs, 'usedMs'),
  }
}
