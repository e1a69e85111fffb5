/**
 * A tab of a payer's browser with the widget in it: the widget's own rules of what is asked, shown and when, over a connection
 * and clocks that may be anything.
 */
import { clocksDiverged } from '../../src/checkout/deadline.ts'
import {
  answered,
  back,
  change,
  choose,
  type Flow,
  failed,
  type MethodChoice,
  renew,
  retry,
  startFlow,
  type Task,
  ticked,
} from '../../src/checkout/flow.ts'
import { nextDelayMs } from '../../src/checkout/polling.ts'
import { type View, viewOf } from '../../src/checkout/view.ts'
import { PaywindowError } from '../../src/contract/errors.ts'
import { createBrowserApi } from './browser-api.ts'
import { createBrowserClock } from './clocks.ts'
import { createDice } from './dice.ts'
import type { Link } from './link.ts'
import { createScreen } from './screen.ts'
import type { Cart, World } from './world.ts'

export interface Tab {
  /** What is on the screen now. */
  look(): View
  /** Resolves when the screen fulfils a wish, with that screen; with undefined when it does not in time. */
  until(wish: (view: View) => boolean, patienceMs: number): Promise<View | undefined>
  choose(method: MethodChoice): void
  renew(): void
  change(): void
  back(): void
  retry(): void
  /** Sends a token to another device. Resolves with undefined when that fails. */
  handover(): Promise<string | undefined>
  close(): void
  readonly closed: boolean
}

/** How a browser and its device behave. */
export interface Device {
  readonly wallOffsetMs: number
  readonly stopsInSleep: boolean
  /** How long the device sleeps or is offline, and when, after the tab was opened. */
  readonly naps: readonly { readonly atMs: number; readonly forMs: number; readonly kind: 'asleep' | 'offline' }[]
  /** When somebody sets its clock, and by how much. */
  readonly jumps: readonly { readonly atMs: number; readonly byMs: number }[]
  readonly hidden: boolean
}

export function openTab(world: World, link: Link, cart: Cart, device: Device, name: string): Tab {
  const { time, findings, plan, breakage } = world
  const dice = createDice(plan.seed, `tab ${name}`)
  const clock = createBrowserClock(time, device.wallOffsetMs, device.stopsInSleep)
  const { reading } = clock
  const screen = createScreen(world, cart.reference, reading)
  const asleep = { untilMs: 0 }
  const offline = { untilMs: 0 }
  const connection = link.connect(cart.reference, () => time.nowMs() >= offline.untilMs)
  const loadIcons = world.icons.browser(connection)
  const api = createBrowserApi(async (ask) => {
    const answer = await connection(ask)
    loadIcons(answer.text)
    return { ...answer, text: breakage.received(answer.text, reading()) }
  })
  const wishes = new Set<() => void>()
  let wake = new AbortController()
  let flow = startFlow({ kind: 'create', method: undefined }, reading())
  let key = ''
  let lastReading = reading()
  let closed = false

  function update(next: Flow): void {
    flow = next
    const { shown } = flow
    screen.look(flow)
    if (shown && !shown.over) void lookAtTheEnd(shown.checkout.id)
    for (const wish of [...wishes]) wish()
  }

  const watchedEnds = new Set<string>()
  /** A quote has to be gone from the screen with the first thing that happens after its end. */
  async function lookAtTheEnd(id: string): Promise<void> {
    const sentMs = shownPost(id)?.sentMs
    if (sentMs === undefined || watchedEnds.has(id)) return
    watchedEnds.add(id)
    await time.sleep(sentMs + 20 * 60_000 + 1_050 - time.nowMs())
    await awake()
    if (!closed && flow.shown?.checkout.id === id) look()
  }
  const shownPost = (id: string) => {
    const shown = flow.shown?.checkout
    return shown?.id === id ? world.truth.at(shown.address, shown.tag)?.post : undefined
  }

  function look(): View {
    update(ticked(flow, reading()))
    return viewOf(flow.progress)
  }

  async function awake(): Promise<void> {
    while (time.nowMs() < asleep.untilMs) await time.sleep(asleep.untilMs - time.nowMs())
  }

  async function send(task: Exclude<Task, { kind: 'rest' | 'view' }>) {
    const id = flow.shown?.checkout.id ?? ''
    switch (task.kind) {
      case 'create':
        return api.create({ reference: cart.reference, ...task.method })
      case 'renew':
        return api.renew(id, key)
      case 'offer':
        return api.offer(cart.reference)
      case 'poll':
        return api.read(id, key)
    }
  }

  async function step(): Promise<void> {
    const { task } = flow
    // Nobody here hands a checkout over.
    if (task.kind === 'rest' || task.kind === 'view') return
    const sentAt = reading()
    try {
      const answer = await send(task)
      await awake()
      if (flow.task !== task || closed) return
      if (answer.kind === 'checkout') key = answer.key
      update(answered(ticked(flow, reading()), answer, sentAt, reading()))
    } catch (error) {
      if (!(error instanceof PaywindowError)) throw error
      await awake()
      if (flow.task !== task || closed) return
      findings.count(`browser met ${error.code}`)
      // The timer of the countdown rings before this task: it is overdue when a device wakes.
      update(failed(ticked(flow, reading()), error, reading()))
    }
  }

  function delayMs(): number {
    const now = reading().monotonicMs
    const delay = nextDelayMs({
      view: flow.pending ? 'preparing' : viewOf(flow.progress).kind,
      shownForMs: now - flow.shownSinceMs,
      hidden: device.hidden,
      failures: flow.failures,
      retryAfterMs: flow.notBeforeMs > now ? flow.notBeforeMs - now : undefined,
      jitter: dice.random(),
    })
    // Nothing is asked any more; the tab waits for somebody to press something.
    return delay === false ? 3_600_000 : delay
  }

  async function live(): Promise<void> {
    while (!closed) {
      await awake()
      if (flow.task.kind !== 'rest' && isAsking()) await step()
      await time.sleep(delayMs(), wake.signal).catch(() => undefined)
      if (wake.signal.aborted) wake = new AbortController()
      await awake()
      const now = reading()
      const jumped = clocksDiverged(lastReading, now)
      lastReading = now
      if (!closed) update(ticked(flow, now))
      if (jumped && !closed && flow.task.kind === 'poll' && time.nowMs() >= asleep.untilMs) await step()
    }
  }
  const isAsking = () => !['paid', 'ended', 'refused'].includes(viewOf(flow.progress).kind) || flow.pending !== null

  /** Nobody presses anything on a device that sleeps. */
  function press(next: Flow): void {
    if (time.nowMs() < asleep.untilMs) return
    update(next)
    wake.abort()
  }

  async function nap({ atMs, forMs, kind }: Device['naps'][number]): Promise<void> {
    await time.sleep(atMs)
    if (closed || world.faults.stopped) return
    if (kind === 'offline') {
      findings.fault('browser: offline')
      offline.untilMs = time.nowMs() + forMs
      return
    }
    findings.fault('browser: device sleeps')
    asleep.untilMs = time.nowMs() + forMs
    await time.sleep(forMs)
    clock.slept(forMs)
    wake.abort()
  }

  for (const each of device.naps) void nap(each)
  for (const { atMs, byMs } of device.jumps)
    void time.sleep(atMs).then(() => {
      if (closed || world.faults.stopped) return
      findings.fault('browser: wall clock jumps')
      clock.jump(byMs)
    })
  if (device.wallOffsetMs !== 0) findings.fault('browser: wall clock is wrong')
  void live()

  return {
    look,
    until: (wish, patienceMs) =>
      new Promise((resolve) => {
        const end = (view: View | undefined) => {
          wishes.delete(check)
          resolve(view)
        }
        const check = () => {
          const view = viewOf(flow.progress)
          if (closed) end(undefined)
          else if (wish(view)) end(view)
        }
        wishes.add(check)
        void time.sleep(patienceMs).then(() => end(undefined))
        check()
      }),
    choose: (method) => press(choose(flow, method)),
    renew: () => press(renew(flow)),
    change: () => press(change(flow)),
    back: () => press(back(flow, reading())),
    retry: () => press(retry(flow)),
    handover: async () => {
      const id = flow.shown?.checkout.id
      if (id === undefined) return undefined
      return api.handover(id, key).catch(() => undefined)
    },
    close: () => {
      closed = true
      wake.abort()
      for (const wish of [...wishes]) wish()
    },
    get closed() {
      return closed
    },
  }
}
