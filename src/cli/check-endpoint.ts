/** `paywindow check`: requests a merchant server as the widget on a page does. Creates nothing. */
import { keyHeader } from '../contract/checkout.ts'
import { parseOffer } from '../contract/parsers.ts'
import { isOfThisMachine } from '../server/upstream/service-gate.ts'
import { checkPage } from './check-page.ts'
import { type Answer, type Ask, createAsk, errorOf, tryAsk, whyNotPaywindow } from './endpoint-answers.ts'
import { type Finding, findingsOf, printFindings } from './finding.ts'
import { webAddress } from './option-values.ts'
import { counted } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow check`. */
export interface CheckOptions {
  readonly reference: string
  /** Address of the page with the widget. */
  readonly page?: string
  readonly json?: boolean
}

const endpoint = findingsOf('Endpoint')
const offer = findingsOf('Offer')
const paths = findingsOf('Paths below it')
const creation = findingsOf('Creation')
const otherSite = findingsOf('Other site')
const cache = findingsOf('Cache')
const clock = findingsOf('Clock')
const encryption = findingsOf('Encryption')

/** A larger difference of clocks is noted. */
const maxDifferenceMs = 10_000
/** Headers by which caches mark their answers: with an age in seconds, or with a hit. */
const cacheHeaders = ['age', 'x-cache', 'cf-cache-status', 'x-cache-status']
/** The id of no checkout. */
const noCheckout = 'none'

/** Prints a line for each check. @throws CommandFailure, exit code 1, when something is wrong. */
export async function checkEndpoint(address: string, options: CheckOptions, world: World): Promise<void> {
  const at = webAddress(address, 'The address').href.replace(/\/+$/, '')
  const page = options.page === undefined ? undefined : webAddress(options.page, '--page')
  const ask = createAsk(world)
  const origin = (page ?? new URL(at)).origin
  printFindings(
    [
      ...(await findings({ at, page: origin, reference: options.reference, ask })),
      ...(page ? await checkPage(at, page, ask) : []),
    ],
    options,
    world,
  )
}

/** A server that is checked. */
interface Checked {
  /** The endpoint, without a slash at its end. */
  readonly at: string
  /** The origin of the page with the widget. */
  readonly page: string
  readonly reference: string
  readonly ask: Ask
}

/** Ends with the first answer that is not Paywindow's. */
async function findings(checked: Checked): Promise<readonly Finding[]> {
  const { at, reference, ask } = checked
  const answer = await tryAsk(ask, offerAt(checked))
  if (typeof answer === 'string') return [endpoint.wrong(`${answer} Is the server running?`)]
  const why = whyNotPaywindow(answer)
  if (why) return [endpoint.wrong(why)]
  return [
    endpoint.ok('Paywindow answers there.'),
    checkOffer(answer, reference),
    await checkPaths(checked),
    ...(await checkCreation(checked)),
    await checkCache(checked, answer),
    ...checkClock(answer),
    ...checkEncryption(at),
  ]
}

function offerAt({ at, reference }: Checked): string {
  return `${at}/offer?${new URLSearchParams({ reference })}`
}

function checkOffer({ status, json }: Answer, reference: string): Finding {
  const error = errorOf(json)
  const named = JSON.stringify(reference)
  if (error.code === 'not_offered')
    return offer.note(`offer returns null for ${named} and a visitor who is not logged in. Name one with --reference.`)
  if (status !== 200)
    return offer.wrong(`offer fails for ${named}: ${error.code}. onError has the reason${error.incident}.`)
  try {
    const { price, methods, test } = parseOffer(json)
    const mode = test ? ', in test mode: payers are told not to send money' : ''
    return offer.ok(`${price.amount} ${price.asset}, ${counted(methods.length, 'way')} to pay${mode}.`)
  } catch {
    return offer.wrong('This version cannot read it: is the server of another version?')
  }
}

/** A framework may pass on the endpoint's path, but no path below it. */
async function checkPaths({ at, ask }: Checked): Promise<Finding> {
  const answer = await ask(`${at}/checkouts/${noCheckout}`, { headers: { [keyHeader]: noCheckout } })
  const { code, message } = errorOf(answer.json)
  if (code === 'not_found' && answer.json?.v === 1) return paths.ok('They arrive.')
  if (code === 'invalid_request' && message.includes(keyHeader))
    return paths.wrong(`The header ${keyHeader} does not arrive: let everything in front pass it on.`)
  return paths.wrong(
    `/checkouts/{id} is answered with ${answer.status}, not by Paywindow: mount all paths below the endpoint.`,
  )
}

/** Sends a body without a reference, which is refused before anything is created. */
async function checkCreation({ at, page, ask }: Checked): Promise<readonly Finding[]> {
  const isOther = page !== new URL(at).origin
  const headers = { 'content-type': 'application/json', origin: page }
  const answer = await ask(`${at}/checkouts`, { method: 'POST', headers, body: '{}' })
  const { code, message } = errorOf(answer.json)
  if (code === 'forbidden_origin') {
    const own =
      'The server sees another host than browsers do: set publicOrigin, or let the proxy keep the Host header.'
    return [isOther ? otherSite.wrong(`Add ${page} to allowedOrigins.`) : creation.wrong(own)]
  }
  if (code !== 'invalid_request')
    return [creation.wrong(`A POST is answered with ${answer.status}, not by Paywindow: let POST and JSON through.`)]
  if (!message.startsWith('reference'))
    return [creation.wrong(`A POST arrives without its body (${message}): mount Paywindow before body parsers.`)]
  const arrives = creation.ok('A POST arrives. Nothing was created.')
  return isOther ? [arrives, await checkOtherSite(answer, { at, page, ask })] : [arrives]
}

async function checkOtherSite(answer: Answer, { at, page, ask }: Omit<Checked, 'reference'>): Promise<Finding> {
  const headers = {
    origin: page,
    'access-control-request-method': 'POST',
    'access-control-request-headers': `content-type,${keyHeader}`,
  }
  const preflight = await ask(`${at}/checkouts`, { method: 'OPTIONS', headers })
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
  const isAllowed = (each: Answer) => each.headers.get('access-control-allow-origin') === page
  if (preflight.status < 300 && allowed.includes(keyHeader) && isAllowed(preflight) && isAllowed(answer))
    return otherSite.ok(`Pages of ${page} may use it.`)
  return otherSite.wrong(
    `Browsers will not let pages of ${page} read the answers: something in front answers OPTIONS or changes access-control headers.`,
  )
}

/** Requests the offer again: a cache may keep an answer although its headers say no-store. */
async function checkCache(checked: Checked, { headers }: Answer): Promise<Finding> {
  if (!headers.get('cache-control')?.includes('no-store'))
    return cache.wrong(
      'Something in front removes cache-control: no-store. A cached answer can show the status of an hour ago.',
    )
  const again = await checked.ask(offerAt(checked))
  const isKept = cacheHeaders.some((name) => /\d|hit/i.test(again.headers.get(name) ?? ''))
  return isKept
    ? cache.wrong(
        'Something in front keeps answers, although they say no-store: let it pass on all below this address.',
      )
    : cache.ok('Answers are not stored.')
}

function checkClock({ headers }: Answer): readonly Finding[] {
  const date = Date.parse(headers.get('date') ?? '')
  const differenceMs = Math.abs(Date.now() - date)
  if (!(differenceMs > maxDifferenceMs)) return []
  const seconds = Math.round(differenceMs / 1_000)
  return [clock.note(`The server's clock and this one differ by ${seconds} s. Keep both in step (NTP).`)]
}

function checkEncryption(at: string): readonly Finding[] {
  const { protocol, hostname } = new URL(at)
  if (protocol === 'https:') return [encryption.ok('It uses https.')]
  return [
    isOfThisMachine(hostname)
      ? encryption.note('None, on this machine.')
      : encryption.wrong('Anybody on the way can change the address: use https.'),
  ]
}
