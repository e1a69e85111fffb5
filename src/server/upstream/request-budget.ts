/**
 * The requests that this server may send a second. Creations go first, then orders that change
 * soon, then the rest.
 *
 * The servers of a store share one budget through one record. Each server writes there how many
 * requests it needs and may send, and whether the service wants a pause.
 */
import type { Clock } from '../../service/clock.ts'
import { endsWithin } from '../../service/within.ts'
import { policy } from '../core/policy.ts'
import type { ServerEntry, Servers } from '../records/record-kinds.ts'

/** The highest limit that the options accept. */
const maxPerSecond = 1_000

/** `creation`: a payer waits for it. `soon`: an order that changes soon. `other`: anything else. */
export type Urgency = keyof typeof policy.budget.longestWaitMs

/** The most urgent first. */
const urgencies = ['creation', 'soon', 'other'] as const satisfies readonly Urgency[]

/** The most requests in a window of time, of which `kept` are for creations only. */
function limitOf(perSecond: number) {
  const most = Math.max(1, Math.floor(perSecond))
  const kept = most < policy.budget.leastToShare ? 0 : Math.max(1, Math.round(most * policy.budget.creationShare))
  return { most, kept, windowMs: Math.max(1, 1 / perSecond) * 1_000 * policy.budget.slack }
}

/**
 * Creates the budget of this server. The limit holds for any span of a second, because services
 * count by their own.
 *
 * @param perSecond - The most requests a second, which may all go out at once. 0.5: one request in
 *   two seconds. The value may change at any time.
 */
export function createRequestBudget(perSecond: () => number, clock: Clock) {
  // Setting the clock forward would allow a second's requests again.
  const now = () => clock.monotonic?.() ?? clock.now()
  const waiting: Readonly<Record<Urgency, (() => void)[]>> = { creation: [], soon: [], other: [] }
  const sent = createWindow(now)
  const sentButCreations = createWindow(now)
  let isServing = false
  let pause = new AbortController()

  /** When a request may be sent behind so many requests and creations. */
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
        // A new creation ends the wait, because it may be free to go at once.
        await clock.sleep(waitMs, pause.signal).catch(() => undefined)
      }
    } finally {
      isServing = false
    }
  }

  return {
    /**
     * Waits until the request may be sent, and resolves with 0. If the wait would be too long,
     * resolves at once with the ms after which to try again.
     */
    take: async (urgency: Urgency): Promise<number> => {
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
    /** Whether no request waits and more than half of the budget is unused. */
    hasSpare: () => {
      const { most, windowMs } = limitOf(perSecond())
      return nextInLine() === undefined && sent.count(windowMs) <= most / 2
    },
  }
}

/** The requests that were sent in the last window of time. */
function createWindow(now: () => number) {
  /** The times of the last requests, oldest first. */
  let atMs: readonly number[] = []
  return {
    note: () => {
      atMs = [...atMs, now()].slice(-maxPerSecond)
    },
    /** When the next request may be sent after `ahead` others, if a window allows `most`. */
    freeAtMs: (ahead: number, most: number, windowMs: number) => {
      const before = atMs[atMs.length - most + (ahead % most)]
      return (before === undefined ? now() : Math.max(now(), before + windowMs)) + Math.floor(ahead / most) * windowMs
    },
    count: (windowMs: number) => atMs.filter((each) => now() - each < windowMs).length,
  }
}

/** What `createPeers` needs. */
export interface PeersWorld {
  /** This server's id in the record. */
  readonly id: string
  /** The budget of all servers together. */
  readonly requestsPerSecond: number
  readonly clock: Clock
  /** Changes the record; `change` may run more than once. */
  readonly updateServers: (change: (servers: Servers) => Servers) => Promise<Servers>
  /** Ms left of a pause that the service has told this server; 0: none. */
  readonly ownHoldMs: () => number
  readonly inBackground: (work: Promise<unknown>) => void
}

/** Another server, as seen by this server. Times are by this server's monotonic clock. */
interface Seen {
  readonly entry: ServerEntry
  readonly changedAtMs: number
  /** Since when it has been refused without a pause. */
  readonly heldSinceMs: number
  readonly heldUntilMs: number
}

/**
 * The servers of the store, as this server knows them. Nothing is read or written before the first
 * request of this server.
 */
export function createPeers(world: PeersWorld) {
  const { id, requestsPerSecond: most, clock, updateServers, ownHoldMs, inBackground } = world
  const monotonic = () => clock.monotonic?.() ?? clock.now()
  const others = createOthers(clock.now, monotonic)
  let share = most * policy.sharing.leastPart
  let syncedAtMs = Number.NEGATIVE_INFINITY
  let triedAtMs = Number.NEGATIVE_INFINITY
  let syncing: Promise<void> | undefined
  /** The times of this server's latest requests. */
  let askedAtMs: readonly number[] = []

  const recentlyAsked = () => askedAtMs.filter((atMs) => monotonic() - atMs < policy.sharing.wantsOfMs)
  const isKnown = () => monotonic() - syncedAtMs < policy.sharing.holdsMs

  /** The record with this server's new entry, and without silent servers. */
  function withOwnEntry(servers: Servers): Servers {
    others.see(Object.entries(servers).filter(([other]) => other !== id))
    const alive = others.alive()
    const wants = Math.min(most, 1 + recentlyAsked().length)
    const fair = shareOut(most, [wants, ...alive.map(([, entry]) => entry.wants)])[0] ?? most
    const free = most - alive.reduce((sum, [, { share: other }]) => sum + other / 1_000, 0)
    // Shares are whole numbers, unless there is less than one request for each server.
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
      const { [id]: own } = await updateServers(withOwnEntry)
      if (own) share = own.share / 1_000
      syncedAtMs = triedAtMs
    } catch {
      // Other calls of the store fail and report it. The share holds for a while; then the least
      // part applies.
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

  async function announcePresence(): Promise<void> {
    if (monotonic() - triedAtMs < policy.sharing.everyMs && (!syncing || isKnown())) return
    const begun = begin()
    // A payer may wait here. Once the reading is outdated, the least part applies in any case.
    if (!isKnown()) await endsWithin(clock, Math.max(0, triedAtMs + policy.sharing.holdsMs - monotonic()), begun)
  }

  return {
    /** Await it before each request. Never rejects, even if the store fails. */
    ready: () => {
      askedAtMs = [...recentlyAsked(), monotonic()]
      return announcePresence()
    },
    /**
     * Await it instead of `ready` if another server sends the request: this server then counts as
     * present, and learns of pauses.
     */
    announcePresence,
    /** The requests a second that this server may send; a fifth of all while the store fails. */
    sharePerSecond: () => (isKnown() ? share : most * policy.sharing.leastPart),
    /** Ms left of a pause that the service has told another server. */
    heldMs: others.heldMs,
    /** Whether no other server sends requests now. */
    isAlone: () => others.alive().length === 0,
    /** Whether another server has sent requests in the last ten minutes. */
    hasOtherServers: () => others.heardMs() < policy.sharing.companyMs,
    /** Tells the other servers at once that the service wants a pause. */
    announce: () => void begin(),
  }
}

/** The other servers, by the changes of their entries, because their clocks may be wrong. */
function createOthers(now: () => number, monotonic: () => number) {
  const seen = new Map<string, Seen>()
  let heardAtMs = Number.NEGATIVE_INFINITY
  /** A server that is refused for longer may be the only one. Then this server tries, too. */
  const heldForMs = ({ heldSinceMs, heldUntilMs }: Seen) =>
    monotonic() - heldSinceMs < policy.pause.longestMs ? heldUntilMs - monotonic() : 0

  function changed(id: string, entry: ServerEntry): Seen {
    const before = seen.get(id)
    if (before && JSON.stringify(before.entry) === JSON.stringify(entry)) return before
    heardAtMs = monotonic()
    // A new entry may be of a server that ended long ago: its own time counts until it changes.
    const ageMs = before ? 0 : Math.abs(now() - entry.atMs)
    const atMs = monotonic() - Math.min(ageMs, policy.sharing.silentMs)
    const leftMs = Math.min(entry.holdMs, policy.pause.longestMs) - ageMs
    const wasHeldUntilMs = Math.min(before?.heldUntilMs ?? 0, monotonic())
    const heldUntilMs = leftMs > 0 ? monotonic() + leftMs + policy.sharing.afterYouMs : wasHeldUntilMs
    const isHeldAgain = before !== undefined && monotonic() - wasHeldUntilMs < policy.sharing.silentMs
    return { entry, changedAtMs: atMs, heldSinceMs: isHeldAgain ? before.heldSinceMs : monotonic(), heldUntilMs }
  }

  return {
    see: (entries: readonly (readonly [string, ServerEntry])[]) => {
      const next = new Map(entries.map(([id, entry]) => [id, changed(id, entry)]))
      for (const [id, each] of seen) if (!next.has(id) && each.heldUntilMs > monotonic()) next.set(id, each)
      seen.clear()
      for (const [id, each] of next) seen.set(id, each)
    },
    alive: (): readonly (readonly [string, ServerEntry])[] =>
      [...seen].flatMap(([id, { entry, changedAtMs }]) =>
        monotonic() - changedAtMs < policy.sharing.silentMs ? [[id, entry] as const] : [],
      ),
    /** Ms since the entry of any other server last changed. */
    heardMs: () => monotonic() - heardAtMs,
    heldMs: () => Math.max(0, ...[...seen.values()].map(heldForMs)),
  }
}

/**
 * Max-min fair shares: nobody gets more than an equal part before all wants are met, and an
 * unwanted rest is divided equally.
 *
 * @param most - The requests of a second, of all servers together.
 * @returns The shares, in the order of `wants`. Their sum is `most`.
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
