/** Places for mistakes: around what servers and widgets use. Their own code stays as it is. */
import type { Reading } from '../../../src/checkout/deadline.ts'
import type { IconFetch } from '../../../src/server/icons/icons.ts'
import type { PaywindowOptions } from '../../../src/server/options.ts'
import type { Store } from '../../../src/server/store/store.ts'
import type { Clock } from '../../../src/service/clock.ts'
import type { Emit, PaywindowCallbacks } from '../../../src/session/callbacks.ts'
import type { BrowserWindow } from '../../../src/session/world.ts'
import type { Role } from './plan.ts'
import type { VirtualTime } from './time.ts'

type Callback = NonNullable<PaywindowOptions['onStatusChange']>

/** Wrappers, each around one thing that servers or widgets use. */
export interface Breakage {
  /** Wraps the store for one server. */
  serverStore(store: Store, clock: Clock, role: Role): Store
  /** Changes the options that a server is created with. */
  options(options: PaywindowOptions): PaywindowOptions
  /** Wraps one server's `fetch` of the service. */
  serviceFetch(fetch: typeof globalThis.fetch, clock: Clock): typeof globalThis.fetch
  /** Wraps the service itself. */
  network(fetch: typeof globalThis.fetch, time: VirtualTime): typeof globalThis.fetch
  serverClock(clock: Clock): Clock
  /** Wraps one server's `fetch` of the icon host. */
  iconFetch(fetch: IconFetch): IconFetch
  callback(callback: Callback): Callback
  /** Changes the text of an answer as a browser reads it. */
  received(text: string, reading: Reading): string
  /** Changes the text of an answer as a server sends it. */
  answer(text: string): string
  /** Wraps how one server answers. */
  serverFetch(fetch: (request: Request) => Promise<Response>): (request: Request) => Promise<Response>
  /** Wraps the window in which the widget runs. */
  window(window: BrowserWindow): BrowserWindow
  /** Replaces how the widget calls the page's callbacks. `emit` is the correct way. */
  emit(emit: Emit, callbacks: PaywindowCallbacks): Emit
}

/** Changes nothing. */
export const unbroken: Breakage = {
  serverStore: (store) => store,
  options: (options) => options,
  serviceFetch: (fetch) => fetch,
  network: (fetch) => fetch,
  serverClock: (clock) => clock,
  iconFetch: (fetch) => fetch,
  callback: (callback) => callback,
  received: (text) => text,
  answer: (text) => text,
  serverFetch: (fetch) => fetch,
  window: (window) => window,
  emit: (emit) => emit,
}
