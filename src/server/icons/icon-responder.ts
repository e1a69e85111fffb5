/** Answers a request for an icon: with a mark that is drawn here, else with the picture of an offered method. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import type { Settings } from '../options.ts'
import { drawCoin } from './coins/coin-icons.ts'
import type { IconNames } from './icon-names.ts'
import { createIcons } from './icons.ts'

/** What the responder needs of its server. */
interface World extends Pick<Context, 'now' | 'sleep'> {
  readonly settings: Pick<Settings, 'service' | 'iconFetch'>
}

/** Rejects with `not_found` where nothing has this name or its picture cannot be fetched. */
type RespondWithIcon = (name: string) => Promise<Response>

/** The service's own origin is fetched as the service is, everything else from public addresses alone. */
export function createIconResponder(
  { settings, now, sleep }: World,
  iconNames: Pick<IconNames, 'find'>,
): RespondWithIcon {
  const webFetch = settings.service.fetch ?? ((input: string, init: RequestInit) => fetch(input, init))
  const iconAt = createIcons({
    fetch: settings.iconFetch ?? ((url, init) => fetch(url, { ...init, redirect: 'error' })),
    now,
    sleep,
    trustedOrigin: new URL(settings.service.baseUrl).origin,
    trustedFetch: (url, init) => webFetch(url, { ...init, redirect: 'error' }),
  })
  return async (name) => {
    const drawn = drawCoin(name)
    if (drawn) return drawn
    const place = await iconNames.find(name)
    if (!place) throw new PaywindowError('not_found', 'There is no such icon')
    return iconAt(place)
  }
}
