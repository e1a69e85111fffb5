/**
 * The service worker of the site, which keeps all of it for when there is no network. With one, pages come from the network, so that nobody reads
 * old documentation: only files whose names change with their content come from here. `site/offline.ts` builds it.
 */
import { clientsClaim } from 'workbox-core'
import { cleanupOutdatedCaches, matchPrecache, precache } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'

/** Every file, relative to the worker, with a revision where its name has none. */
declare const siteFiles: { readonly url: string; readonly revision: string | null }[]
declare const skipWaiting: () => void

skipWaiting()
clientsClaim()
cleanupOutdatedCaches()
precache(siteFiles)

registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname.includes('/assets/'),
  async ({ request }) => (await matchPrecache(request)) ?? fetch(request),
)
registerRoute(
  ({ sameOrigin }) => sameOrigin,
  async ({ request, url: { origin, pathname } }) => {
    try {
      return await fetch(request)
    } catch {
      const file = origin + pathname.replace(/\/$/, '/index.html')
      return (await matchPrecache(file)) ?? Response.error()
    }
  },
)
