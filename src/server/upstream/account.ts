/**
 * What the servers of an account know of each other, from one record: who needs requests, who may send how many, and that the service
 * wants a pause. A server writes into it once a second while it needs requests, and not at all otherwise.
 */
import type { Clock } from '../../service/clock.ts'
import { endsWithin } from '../../service/within.ts'
import { policy } from '../core/policy.ts'
import type { OtherEntry, ServerEntry, Servers } from '../records/servers.ts'

/** The servers of the account, as this one knows them. */
export interface Account {
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
