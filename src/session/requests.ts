/** Sends what a flow asks for. Holds the checkout's key, in memory only, and gives it to nobody but the merchant server. */
import type { ReadClocks, Reading } from '../checkout/deadline.ts'
import type { MethodChoice, Task } from '../checkout/flow.ts'
import type { HandedOver } from '../checkout/handover.ts'
import type { Api, ApiAnswer } from './api.ts'
import type { HandoverLink } from './state.ts'
import { isVisible, whenVisible } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

/** What the requests of one session are about, and how they are sent. */
export interface RequestOptions {
  readonly api: Api
  readonly reference: string
  readonly method: MethodChoice | undefined
  /** A checkout of another device to look at, in place of one of its own. */
  readonly viewed: HandedOver | null
  readonly window: BrowserWindow
  readonly clock: ReadClocks
}

/** An answer, and when its request was sent. */
interface Asked {
  readonly answer: ApiAnswer
  readonly sentAt: Reading
}

/** The requests of one session. They reject with a `PaywindowError`. */
export interface Requests {
  /** Null when the task asks for nothing. @param id - Of the checkout that is shown; empty if there is none. */
  send(task: Task, id: string, signal: AbortSignal): Promise<Asked | null>
  /** Takes over the key in an answer that is going to be shown. */
  keep(answer: ApiAnswer): void
  handOver(id: string): Promise<HandoverLink>
}

/** Sends nothing by itself. */
export function createRequests({ api, reference, viewed, window, clock }: RequestOptions): Requests {
  let key = viewed?.token ?? ''
  let inFlight: { readonly task: Task; readonly request: Promise<Asked> } | undefined

  async function ask(request: () => Promise<ApiAnswer>): Promise<Asked> {
    const sentAt = clock()
    return { answer: await request(), sentAt }
  }

  /** A creation or renewal that is on its way is joined, not sent again, and not taken back when a component unmounts. */
  function join(task: Task, request: () => Promise<ApiAnswer>): Promise<Asked> {
    if (inFlight?.task !== task) inFlight = { task, request: ask(request) }
    return inFlight.request
  }

  return {
    send: async (task, id, signal) => {
      switch (task.kind) {
        case 'create':
          if (!isVisible(window)) await whenVisible(window, signal)
          return join(task, () => api.create({ reference, ...task.method }))
        case 'view':
          return ask(async () => ({ ...(await api.read(task.id, key, signal)), kind: 'checkout', key }))
        case 'renew':
          return join(task, () => api.renew(id, key))
        case 'offer':
          return ask(() => api.offer(reference))
        case 'poll':
          return ask(() => api.read(id, key, signal))
        case 'rest':
          return null
      }
    },
    keep: (answer) => {
      if (answer.kind === 'checkout') key = answer.key
    },
    handOver: async (id) => {
      const { token, expiresInMs } = await api.handOver(id, key)
      return { id, token, untilMs: clock().wallMs + expiresInMs }
    },
  }
}
