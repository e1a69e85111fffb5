/** Rules broken on purpose, from outside: the world is wrapped, the server stays as it is. A run that does not notice is worthless. */
import type { Reading } from '../../../src/checkout/deadline.ts'
import type { IconFetch } from '../../../src/server/icons/icon-load.ts'
import type { PaywindowOptions } from '../../../src/server/options.ts'
import type { Store } from '../../../src/server/store/store.ts'
import type { Clock } from '../../../src/service/clock.ts'
import type { Emit, PaywindowCallbacks } from '../../../src/session/callbacks.ts'
import type { BrowserWindow } from '../../../src/session/world.ts'
import type { Role } from '../world/servers.ts'
import type { VirtualTime } from '../world/time.ts'

type Callback = NonNullable<PaywindowOptions['onStatusChange']>

/** Where the world can be wrapped. */
export interface Breakage {
  /** One server's own way to the store. */
  serverStore(store: Store, clock: Clock, role: Role): Store
  /** What a server is made with. */
  options(options: PaywindowOptions): PaywindowOptions
  /** One server's own way to the service. */
  serviceFetch(fetch: typeof globalThis.fetch, clock: Clock): typeof globalThis.fetch
  /** What the service answers. */
  network(fetch: typeof globalThis.fetch, time: VirtualTime): typeof globalThis.fetch
  serverClock(clock: Clock): Clock
  /** One server's own way to the host of icons. */
  iconFetch(fetch: IconFetch): IconFetch
  callback(callback: Callback): Callback
  /** What a browser reads in an answer. */
  received(text: string, reading: Reading): string
  /** What a server answers a browser. */
  answer(text: string): string
  /** What the widget finds in a browser. */
  window(window: BrowserWindow): BrowserWindow
  /** How the widget calls back. `emit` is how it should. */
  emit(emit: Emit, callbacks: PaywindowCallbacks): Emit
}

/** Everything as it is. */
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
  window: (window) => window,
  emit: (emit) => emit,
}
