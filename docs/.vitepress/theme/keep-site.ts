/** Keeps the site for when there is no network. */
import { withBase } from 'vitepress'

/** Starts the service worker, which loads every page, unless the reader saves data. In private windows some browsers have none. */
export async function keepSite(): Promise<void> {
  const { connection, serviceWorker } = navigator as Navigator & {
    readonly connection?: { readonly saveData?: boolean }
  }
  if (!serviceWorker || connection?.saveData) return
  // Where it cannot start, the pages are those of the network, as without it.
  await serviceWorker.register(withBase('/worker.js')).catch(() => undefined)
}
