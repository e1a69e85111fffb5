/** Sends what a flow asks for next. Holds the checkout's key, in memory only, and gives it to nobody. */
import type { ReadClocks, Reading } from '../checkout/deadline.ts'
import type { Task } from '../checkout/flow.ts'
import type { HandedOver } from '../checkout/handover.ts'
import type { Api, ApiAnswer } from './api.ts'
import { isVisible, whenVisible } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

/** An answer, and when its request was sent. */
interface Asked {
  readonly answer: ApiAnswer
  readonly sentAt: Reading
}

interface RequestOptions {
  readonly api: Api
  readonly reference: string
  readonly viewed: HandedOver | null
  readonly window: BrowserWindow
  readonly clock: ReadClocks
}

/** The requests of one session. `id` is that of the checkout that is shown. */
export interface Requests {
  /** Null where nothing is to be sent. Rejects with a `PaywindowError`. */
  send(task: Task, id: string, signal: AbortSignal): Promise<Asked | null>
  /** From now on the checkout of this answer is read and renewed. */
  use(answer: ApiAnswer): void
  /** Makes a link for another device. Rejects with a `PaywindowError`. */
  handOver(id: string): ReturnType<Api['handOver']>
}

/** Sends nothing yet. */
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
    use: (answer) => {
      if (answer.kind === 'checkout') key = answer.key
    },
    handOver: (id) => api.handOver(id, key),
  }
}
