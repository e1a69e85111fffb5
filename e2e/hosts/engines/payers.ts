/** The browsers that there are on this machine. */
import { ensureChromium, ensureFirefox, ensureWebKit } from '../../../scripts/browsers.ts'
import type { Payer } from './payer.ts'
import { startChromium, startFirefox } from './playwright.ts'
import { startWebKit } from './webkit.ts'

/** Starts a browser, or says why there is none. */
type Start = () => Promise<Payer | string>

/** Every browser in which shops are paid in. */
export const engines: Readonly<Record<'chromium' | 'firefox' | 'webkit', Start>> = {
  chromium: () => startChromium(ensureChromium()),
  firefox: async () => {
    const path = ensureFirefox()
    return path === undefined ? 'there is no Firefox on this machine' : startFirefox(path)
  },
  webkit: async () => {
    const paths = ensureWebKit()
    return paths === undefined ? 'there is no WebKitGTK with its driver on this machine' : startWebKit(paths)
  },
}
