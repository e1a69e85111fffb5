/** The file of `paywindow serve`, and the secrets of its shops, which stand in the environment. */
import { PaywindowError } from '../contract/errors.ts'
import { ParseError } from '../contract/parse.ts'
import { isHeaderToken } from '../service/options.ts'
import { isPasswordHash } from './desk/password.ts'
import {
  type Form,
  list,
  named,
  object,
  optional,
  readJsonText,
  text,
  type ValueOf,
  whole,
  word,
  wordOr,
  yesOrNo,
} from './form.ts'
import { signWebhook } from './standard-webhook.ts'

/**
 * Names of shops are parts of addresses, files, schemas and variables. These are paths of the
 * server.
 */
export const shopName = /^(?!(?:health|metrics|locales|admin|v1)$)[a-z][a-z0-9-]{0,31}$/u
/** Has something to see, and does not turn the text around it. */
const shortText = /^(?=.*[^\s\p{Default_Ignorable_Code_Point}])[^\p{Cc}\u202a-\u202e\u2066-\u2069]{1,64}$/u

/** An address of the web, whose form a pattern alone cannot say. */
function address(what: string): Form<string> {
  const form = text(`${what}, with https:// and no user name`, /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/u)
  return {
    ...form,
    read: (value, path) => {
      const read = form.read(value, path)
      if (!URL.canParse(read)) throw new ParseError(`${path} is no address`)
      return read
    },
  }
}

const method = object('one way to pay', {
  asset: text("the service's symbol of the coin, such as BTC", /^[!-~]{1,32}$/u),
  network: text("the service's name of the network, such as bitcoin", /^[ -~]{1,64}$/u),
  name: text('its name for payers, of 1 to 64 characters that can be seen', shortText),
  icon: optional(address('the address of its picture')),
  token: optional(
    object('what a wallet in a browser needs to pay a token', {
      contract: text('the address of its contract', /^0x[0-9a-fA-F]{40}$/u),
      decimals: whole('the digits after its point', 0, 36),
    }),
  ),
})

const service = object('the exchange service', {
  baseUrl: address('its address'),
  subAccountId: text('a sub-account that nothing else creates orders on', /^[!-~]{1,200}$/u),
  accessTokenEnv: optional(text('the variable with the access token', /^[A-Za-z_][A-Za-z0-9_]{0,99}$/u)),
})

const shop = object('one shop', {
  service: wordOr('sandbox', service),
  merchant: object('who is paid', {
    name: text('the name that payers read, of 1 to 64 characters that can be seen', shortText),
    supportUrl: optional(address('the address of your help')),
  }),
  methods: list('1 to 500 ways to pay', method, 500),
  page: optional(
    object('how the page looks', {
      logo: optional(address('the address of your logo')),
      accent: optional(text('a colour of CSS, such as #0a7', /^[\w#%.,()/ -]{1,100}$/u)),
      theme: optional(word('the theme', ['light', 'dark', 'auto'])),
    }),
  ),
  events: optional(
    object('where your shop is told of payments', {
      url: address('the address of your shop that takes events'),
      allowPrivate: optional(yesOrNo('whether it may be in your own network, and without https')),
    }),
  ),
  test: optional(yesOrNo('whether this is no real money')),
})

const storePlace = text(
  'a file, or the address of a database: postgres://…, redis://…',
  /^(?:(?!.*:\/\/).*[^/]|(?:postgres(?:ql)?|rediss?):\/\/.+)$/u,
)

/** The whole file. */
export const configForm = object('the settings of paywindow serve', {
  $schema: optional(text('the schema of this file', /^\S+$/u)),
  port: optional(whole('the port to listen on', 0, 65_535)),
  host: optional(text('the address to listen on', /^[\w.:-]{1,253}$/u)),
  metricsPort: optional(whole('the port of metrics for Prometheus', 0, 65_535)),
  publicUrl: text(
    'the address of this server for payers, without a path: https://pay.shop.example',
    /^https?:\/\/[^\s/?#@]+\/?$/u,
  ),
  trustedProxies: optional(whole('how many proxies of yours are in front of it', 0, 10)),
  store: optional(storePlace),
  shops: named('your shops by names of a-z, 0-9 and -', shopName, shop),
})

type ShopFile = ValueOf<typeof shop>

/** A shop with its secrets. Of several the first signs, and all are believed. */
export interface ShopConfig extends Omit<ShopFile, 'service' | 'test'> {
  readonly name: string
  readonly service:
    | 'sandbox'
    | { readonly baseUrl: string; readonly subAccountId: string; readonly accessToken: string }
  readonly test: boolean
  readonly linkSecrets: readonly string[]
  /** None: the shop has no API. */
  readonly apiSecrets: readonly string[]
  readonly eventsSecrets: readonly string[]
  readonly webhookSecret: string | undefined
  /** Undefined: the shop has no desk. */
  readonly adminPasswordHash: string | undefined
}

/** What is served. */
export interface ServeConfig {
  readonly port: number
  readonly host: string | undefined
  /** Undefined: no metrics. */
  readonly metricsPort: number | undefined
  /** An origin. */
  readonly publicUrl: string
  readonly trustedProxies: number
  readonly store: string
  readonly shops: readonly ShopConfig[]
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the file with the environment.
 *
 * @throws ParseError that names what is wrong, where it stands and what to do, and no secret.
 */
export function readConfig(json: string, env: Environment): ServeConfig {
  let value: unknown
  try {
    // Editors of Windows begin a file with the mark of UTF-8.
    value = readJsonText(json.replace(/^\ufeff/, ''))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // Not its message, which quotes the file.
    throw new ParseError('it is no JSON: look for a missing comma or quote')
  }
  const { port = 8080, host, metricsPort, publicUrl, trustedProxies = 0, store, shops } = configForm.read(value, '')
  const url = URL.parse(publicUrl)
  if (!url) throw new ParseError('publicUrl is no address: https://pay.shop.example')
  const read = [...shops].map(([name, file]) => readShop(name, file, env))
  refuseShared(read)
  return { port, host, metricsPort, publicUrl: url.origin, trustedProxies, store: readStore(store, env), shops: read }
}

/** The variable of a shop's secret. */
export function variableOf(name: string, what: string): string {
  return `PAYWINDOW_${name.toUpperCase().replaceAll('-', '_')}_${what}`
}

/** Empty where it is not set. */
function valueIn(env: Environment, variable: string): string {
  const value = env[variable]?.trim() ?? ''
  // Docker takes them from a file of variables, where a shell takes them away.
  if (/^(["']).*\1$/.test(value)) throw new ParseError(`${variable} has quotes around it: take them away`)
  return value
}

function readShop(name: string, { service, test = false, ...file }: ShopFile, env: Environment): ShopConfig {
  const at = `shops.${name}`
  if (service === 'sandbox' && !test)
    throw new ParseError(`${at}.test must be true with the sandbox: no real money must be sent to its addresses`)
  const secrets = (
    what: string,
    rule: string,
    isOne: (secret: string) => boolean,
    make: string,
    most = Number.POSITIVE_INFINITY,
  ) => {
    const variable = variableOf(name, what)
    const found = valueIn(env, variable)
      .split(',')
      .flatMap((each) => each.trim() || [])
    if (found.length > most || !found.every(isOne)) throw new ParseError(`${variable} must be ${rule}: ${make}`)
    return found
  }
  const random = 'openssl rand -hex 32'
  const isLong = (secret: string) => /^[!-~]{32,500}$/.test(secret)
  const long = '32 or more random characters, or two such with a comma between them'
  const shop = {
    ...file,
    name,
    test,
    service: service === 'sandbox' ? service : readService(name, service, env),
    linkSecrets: secrets('LINK_SECRET', long, isLong, random),
    apiSecrets: secrets('API_SECRET', long, isLong, random),
    eventsSecrets: secrets(
      'EVENTS_SECRET',
      'whsec_ and base64 of 24 to 64 bytes, or two such with a comma between them',
      isEventsSecret,
      'echo whsec_$(openssl rand -base64 32)',
    ),
    webhookSecret: secrets(
      'WEBHOOK_SECRET',
      'one secret of 16 to 256 characters of a-z, A-Z, 0-9, -, ., _ and ~',
      isPathSecret,
      random,
      1,
    )[0],
    adminPasswordHash: secrets(
      'ADMIN_PASSWORD_HASH',
      'the hash of one password',
      isPasswordHash,
      `npx paywindow password ${name}`,
      1,
    )[0],
  }
  if (shop.linkSecrets.length === 0)
    throw new ParseError(`${variableOf(name, 'LINK_SECRET')} is not set: it signs payment links: ${random}`)
  if (shop.events && shop.eventsSecrets.length === 0)
    throw new ParseError(
      `${variableOf(name, 'EVENTS_SECRET')} is not set: it signs events: echo whsec_$(openssl rand -base64 32)`,
    )
  return shop
}

function isEventsSecret(secret: string): boolean {
  try {
    return signWebhook([secret], 'id', 0, '') !== ''
  } catch (error) {
    if (error instanceof PaywindowError) return false
    throw error
  }
}

const isPathSecret = (secret: string) => /^[\w.~-]{16,256}$/.test(secret)

function readService(
  name: string,
  { accessTokenEnv, ...service }: Exclude<ShopFile['service'], 'sandbox'>,
  env: Environment,
) {
  const variable = accessTokenEnv ?? variableOf(name, 'ACCESS_TOKEN')
  const accessToken = valueIn(env, variable)
  if (!isHeaderToken(accessToken)) throw new ParseError(`${variable} is not set: the access token of the service`)
  return { ...service, accessToken }
}

/** A link, a request or an event of one shop must be nothing to another. */
function refuseShared(shops: readonly ShopConfig[]): void {
  const owners = new Map<string, string>()
  const refuseKnown = (secret: string, variable: string) => {
    const other = owners.get(secret)
    if (other !== undefined) throw new ParseError(`${other} and ${variable} have one secret: give each its own`)
  }
  for (const { name, linkSecrets, apiSecrets, eventsSecrets } of shops)
    for (const [what, secrets] of Object.entries({
      LINK_SECRET: linkSecrets,
      API_SECRET: apiSecrets,
      EVENTS_SECRET: eventsSecrets,
    }))
      for (const secret of secrets) {
        const variable = variableOf(name, what)
        refuseKnown(secret, variable)
        owners.set(secret, variable)
      }
  // The service knows this one, and logs have it in an address. Shops may share it.
  for (const { name, webhookSecret = '' } of shops) refuseKnown(webhookSecret, variableOf(name, 'WEBHOOK_SECRET'))
  const accounts = new Map<string, string>()
  for (const { name, service } of shops) {
    if (service === 'sandbox') continue
    const account = `${new URL(service.baseUrl).href.replace(/\/+$/, '')} ${service.subAccountId}`.toLowerCase()
    const other = accounts.get(account)
    if (other !== undefined)
      throw new ParseError(`shops.${other} and shops.${name} have one service.subAccountId: give each its own`)
    accounts.set(account, name)
  }
}

/** The address of a database may have a password, and then stands in the environment. */
function readStore(store = '.paywindow/paywindow.sqlite', env: Environment): string {
  const given = valueIn(env, 'PAYWINDOW_STORE')
  if (given) return storePlace.read(given, 'PAYWINDOW_STORE')
  // Drivers of Postgres also read it from the query.
  const { password, searchParams } = URL.parse(store) ?? {}
  if (password || searchParams?.has('password'))
    throw new ParseError('store has a password: put the whole address into PAYWINDOW_STORE instead')
  return store
}
