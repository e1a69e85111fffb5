/**
 * What Turbo does to a page, as far as a widget can notice it: the body is swapped for a fetched one, its scripts run again, a copy of the
 * body that is left is kept, and shown on the way back and as a preview until the fetched one is there.
 */

declare global {
  interface Window {
    /** Goes on to another page of the shop. */
    visit?: (path: string) => Promise<void>
    /** Goes back to a page that was left. */
    restore?: (path: string) => void
    /** The copies that are kept, by path. */
    copies?: Map<string, HTMLElement>
    /** Requests that have no answer yet, and how often a status was asked for. */
    asked?: { open: number; polls: number }
  }
}

/** Runs in the page before anything else. */
export function swapPages(): void {
  const copies = new Map<string, HTMLElement>()
  const leave = async () => {
    const { pathname } = location
    // Turbo copies in a later task, when the page has had time to prepare itself.
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage(null)
    })
    copies.set(pathname, copyOf(document.body))
  }
  const show = (body: HTMLElement) => {
    document.adoptNode(body)
    for (const script of body.querySelectorAll('script')) {
      const again = document.createElement('script')
      for (const { name, value } of script.attributes) again.setAttribute(name, value)
      again.async = false
      script.replaceWith(again)
    }
    document.body.replaceWith(body)
  }
  const copyOf = (body: HTMLElement) => body.cloneNode(true) as HTMLElement

  window.copies = copies
  window.visit = async (path) => {
    await leave()
    history.pushState({}, '', path)
    const preview = copies.get(path)
    if (preview) show(copyOf(preview))
    const answer = await fetch(path)
    show(new DOMParser().parseFromString(await answer.text(), 'text/html').body)
  }
  window.restore = (path) => {
    const copy = copies.get(path)
    if (!copy) throw new Error(`no copy of ${path}`)
    history.replaceState({}, '', path)
    show(copyOf(copy))
  }
}

/** Runs in the page before anything else: counts its requests. */
export function countPolls(): void {
  const { fetch } = window
  const asked = { open: 0, polls: 0 }
  window.asked = asked
  window.fetch = async (input, init) => {
    asked.open += 1
    if (String(input).startsWith('/paywindow/checkouts/')) asked.polls += 1
    try {
      return await fetch(input, init)
    } finally {
      asked.open -= 1
    }
  }
}
