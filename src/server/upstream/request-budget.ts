/**
 * How many requests this server may send in a second. Creations go first, then orders that change
 * soon, then the rest. The servers of a store share one budget through one record: who needs requests,
 * who may send how many, and that the service wants a pause.
 */
import type { Clock } from '../../service/clock.ts'
import { endsWithin } from '../../service/within.ts'
import { policy } from '../core/policy.ts'
import type { OtherEntry, ServerEntry, Servers } from '../records/store-records.ts'

/** No limit is higher. */
const maxPerSecond = 1_000

/** The kinds of requests: a creation, for which a payer waits; an order that changes soon; or anything else. */
export type Urgency = keyof typeof policy.budget.longestWaitMs

/** Whose turn is first. */
const urgencies = ['creation', 'soon', 'other'] as const satisfies readonly Urgency[]

interface RequestBudget {
  /** Waits for its place. Resolves with 0 when the request may be sent, or at once with the ms after which to try again. */
  take(urgency: Urgency): Promise<number>
  /** Whether nobody waits and there is something left for what can wait. */
  hasSpare(): boolean
}

/** So many requests in so much time, in ms; of the requests, some are kept for creations. */
interface Limit {
  readonly most: number
  readonly kept: number
  readonly windowMs: number
}

function limitOf(perSecond: number): Limit {
  const most = Math.max(1, Math.floor(perSecond))
  const kept = most < policy.budget.leastToShare ? 0 : Math.max(1, Math.round(most * policy.budget.creationShare))
  return { most, kept, windowMs: Math.max(1, 1 / perSecond) * 1_000 * policy.budget.slack }
}

/**
 * No second has more requests than this server may send, wherever it begins: services count them in seconds of their own.
 *
 * @param perSecond - Requests in a second, which may go out at once; below 1, one request in so much longer. May change at any time.
 */
export function createRequestBudget(perSecond: () => number, clock: Clock): RequestBudget {
  // A clock that is set forward would give a second's worth more.
  const now = () => clock.monotonic?.() ?? clock.now()
  const waiting: Readonly<Record<Urgency, (() => void)[]>> = { creation: [], soon: [], other: [] }
  const sent = createWindow(now)
  const sentButCreations = createWindow(now)
  let isServing = false
  let pause = new AbortController()

  /** When a request of a kind may go out, after so many others of which so many are creations. */
  function freeAtMs(urgency: Urgency, ahead: number, creationsAhead: number): number {
    const { most, kept, windowMs } = limitOf(perSecond())
    const freeMs = sent.freeAtMs(ahead, most, windowMs)
    if (urgency === 'creation') return freeMs
    return Math.max(freeMs, sentButCreations.freeAtMs(ahead - creationsAhead, most - kept, windowMs))
  }

  function send(urgency: Urgency): void {
    sent.note()
    if (urgency !== 'creation') sentButCreations.note()
  }

  const isFree = (urgency: Urgency) => freeAtMs(urgency, 0, 0) <= now()
  const nextInLine = () => urgencies.find((urgency) => waiting[urgency].length > 0)

  async function serve(): Promise<void> {
    isServing = true
    try {
      for (let next = nextInLine(); next !== undefined; next = nextInLine()) {
        if (isFree(next)) {
          send(next)
          waiting[next].shift()?.()
          continue
        }
        pause = new AbortController()
        const waitMs = Math.min(policy.budget.limitHoldsMs, Math.max(1, Math.ceil(freeAtMs(next, 0, 0) - now())))
        // Ends early when a creation comes, which may have a place before those that wait.
        await clock.sleep(waitMs, pause.signal).catch(() => undefined)
      }
    } finally {
      isServing = false
    }
  }

  return {
    take: async (urgency) => {
      const inFront = urgencies.slice(0, urgencies.indexOf(urgency) + 1)
      const ahead = inFront.reduce((sum, each) => sum + waiting[each].length, 0)
      if (ahead === 0 && isFree(urgency)) {
        send(urgency)
        return 0
      }
      const waitMs = Math.ceil(freeAtMs(urgency, ahead, waiting.creation.length) - now())
      if (waitMs > policy.budget.longestWaitMs[urgency]) return waitMs
      return new Promise((resolve) => {
        waiting[urgency].push(() => resolve(0))
        if (!isServing) void serve()
        else if (urgency === 'creation') pause.abort()
      })
    },
    hasSpare: () => {
      const { most, windowMs } = limitOf(perSecond())
      return nextInLine() === undefined && sent.count(windowMs) <= most / 2
    },
  }
}

/** Requests that went out. */
function createWindow(now: () => number) {
  /** When, oldest first: as many as a second may have. */
  let atMs: readonly number[] = []
  return {
    note: () => {
      atMs = [...atMs, now()].slice(-maxPerSecond)
    },
    /** When the next one may go out, after so many others, if so many are allowed in a window. */
    freeAtMs: (ahead: number, most: number, windowMs: number) => {
      const before = atMs[atMs.length - most + (ahead % most)]
      return (before === undefined ? now() : Math.max(now(), before + windowMs)) + Math.floor(ahead / most) * windowMs
    },
    count: (windowMs: number) => atMs.filter((each) => now() - each < windowMs).length,
  }
}

/** The servers of the account, as this one knows them. */
interface Account {
  /** To be awaited before each request. Never rejects: while the store fails, a server sends a fifth of what all may. */
  ready(): Promise<void>
  /** To be awaited where another server sends a request for this one: it counts as there, and learns of pauses. */
  present(): Promise<void>
  /** Requests that this server may send in a second. */
  perSecond(): number
  /** Ms for which the service wants no requests, as another server was told. */
  heldMs(): number
  /** Whether no other server sends requests. */
  isAlone(): boolean
  /** Whether another server sent requests in the last ten minutes, also one that is silent now. */
  hasCompany(): boolean
  /** Tells the others at once. To be called when the service wants a pause. */
  tell(): void
}

/** What an account is made of. */
export interface AccountWorld {
  /** Names this server among the others. */
  readonly id: string
  /** Of all servers together. */
  readonly requestsPerSecond: number
  readonly clock: Clock
  /** Changes the record as it is now; `change` may run more than once. */
  readonly updateServers: (change: (servers: Servers) => Servers) => Promise<Servers>
  /** Ms for which this server was told to send nothing, for the whole account; 0 where it was not. */
  readonly ownHoldMs: () => number
  readonly inBackground: (work: Promise<unknown>) => void
}

type Entry = ServerEntry | OtherEntry

/** What was seen of another server. */
interface Seen {
  readonly entry: Entry
  /** When its entry was seen to change, by a clock that nobody sets. */
  readonly changedAtMs: number
  /** Until when its pause lasts, by the same clock. */
  readonly heldUntilMs: number
}

/** Nothing is read or written before the first request. */
export function createAccount(world: AccountWorld): Account {
  const { id, requestsPerSecond: most, clock, updateServers, ownHoldMs, inBackground } = world
  const monotonic = () => clock.monotonic?.() ?? clock.now()
  const others = createOthers(clock.now, monotonic)
  let share = most * policy.sharing.leastPart
  let syncedAtMs = Number.NEGATIVE_INFINITY
  let triedAtMs = Number.NEGATIVE_INFINITY
  let syncing: Promise<void> | undefined
  /** When requests were asked for, of late. */
  let askedAtMs: readonly number[] = []

  const recentlyAsked = () => askedAtMs.filter((atMs) => monotonic() - atMs < policy.sharing.wantsOfMs)
  const isKnown = () => monotonic() - syncedAtMs < policy.sharing.holdsMs

  function entryAmong(servers: Servers): Servers {
    others.see(Object.entries(servers).filter(([other]) => other !== id))
    const alive = others.alive()
    const wants = Math.min(most, 1 + recentlyAsked().length)
    // One whose entry cannot be read is taken to want all that it can get, and to have an equal part.
    const equal = most / (alive.length + 1)
    const fair =
      shareOut(most, [wants, ...alive.map(([, entry]) => (entry.atMs === null ? most : entry.wants))])[0] ?? most
    const free = most - alive.reduce((sum, [, entry]) => sum + (entry.atMs === null ? equal : entry.share / 1_000), 0)
    // Parts of a request are of no use to anybody, unless there is less than one for each.
    const given = Math.max(
      Math.min(fair < 1 ? fair : Math.ceil(fair), free),
      Math.min(fair, most * policy.sharing.leastPart),
    )
    const whole = given < 1 ? given : Math.floor(given)
    const own = { atMs: clock.now(), share: Math.floor(whole * 1_000), wants, holdMs: Math.round(ownHoldMs()) }
    return { ...Object.fromEntries(alive), [id]: own }
  }

  async function sync(): Promise<void> {
    triedAtMs = monotonic()
    try {
      const { [id]: own } = await updateServers(entryAmong)
      if (own && own.atMs !== null) share = own.share / 1_000
      syncedAtMs = triedAtMs
    } catch {
      // Whatever else needs the store fails and is reported. What was read holds for a while; then comes the least part.
    } finally {
      syncing = undefined
    }
  }

  function begin(): Promise<void> {
    if (!syncing) {
      syncing = sync()
      inBackground(syncing)
    }
    return syncing
  }

  async function present(): Promise<void> {
    if (monotonic() - triedAtMs < policy.sharing.everyMs && (!syncing || isKnown())) return
    const begun = begin()
    // A payer may wait for this: from then on the least part is right anyway.
    if (!isKnown()) await endsWithin(clock, Math.max(0, triedAtMs + policy.sharing.holdsMs - monotonic()), begun)
  }

  return {
    ready: () => {
      askedAtMs = [...recentlyAsked(), monotonic()]
      return present()
    },
    present,
    perSecond: () => (isKnown() ? share : most * policy.sharing.leastPart),
    heldMs: others.heldMs,
    isAlone: () => others.alive().length === 0,
    hasCompany: () => others.heardMs() < policy.sharing.companyMs,
    tell: () => void begin(),
  }
}

/** The other servers, judged by changes that were seen: their clocks may be wrong. */
function createOthers(now: () => number, monotonic: () => number) {
  const seen = new Map<string, Seen>()
  let heardAtMs = Number.NEGATIVE_INFINITY

  function changed(id: string, entry: Entry): Seen {
    const before = seen.get(id)
    if (before && JSON.stringify(before.entry) === JSON.stringify(entry)) return before
    heardAtMs = monotonic()
    // One that was never seen before may have ended long ago: until it changes, only its own time can tell, if that can be read.
    const ageMs = before || entry.atMs === null ? 0 : Math.abs(now() - entry.atMs)
    const atMs = monotonic() - Math.min(ageMs, policy.sharing.silentMs)
    const leftMs = entry.atMs === null ? 0 : Math.min(entry.holdMs, policy.pause.longestMs) - ageMs
    return { entry, changedAtMs: atMs, heldUntilMs: leftMs > 0 ? monotonic() + leftMs + policy.sharing.afterYouMs : 0 }
  }

  return {
    see: (entries: readonly (readonly [string, Entry])[]) => {
      const next = new Map(entries.map(([id, entry]) => [id, changed(id, entry)]))
      for (const [id, each] of seen) if (!next.has(id) && each.heldUntilMs > monotonic()) next.set(id, each)
      seen.clear()
      for (const [id, each] of next) seen.set(id, each)
    },
    alive: (): readonly (readonly [string, Entry])[] =>
      [...seen].flatMap(([id, { entry, changedAtMs }]) =>
        monotonic() - changedAtMs < policy.sharing.silentMs ? [[id, entry] as const] : [],
      ),
    /** Ms since the entry of another was seen to be new. */
    heardMs: () => monotonic() - heardAtMs,
    heldMs: () => Math.max(0, ...[...seen.values()].map(({ heldUntilMs }) => heldUntilMs - monotonic())),
  }
}

/**
 * Each of `wants` gets what it wants where that is no more than an equal part; what is left goes to those that want more, and what nobody
 * wants to all alike.
 *
 * @param most - Requests in a second, of all together.
 * @returns The parts, in the order of `wants`. Their sum is `most`.
 */
export function shareOut(most: number, wants: readonly number[]): readonly number[] {
  const parts = wants.map(() => 0)
  const modestFirst = wants.map((wanted, at) => ({ wanted, at })).sort((a, b) => a.wanted - b.wanted)
  let left = most
  for (const [place, { wanted, at }] of modestFirst.entries()) {
    parts[at] = Math.min(wanted, left / (wants.length - place))
    left -= parts[at] ?? 0
  }
  return parts.map((part) => part + left / wants.length)
}
