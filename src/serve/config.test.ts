import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { ParseError } from '../contract/parse.ts'
import { secrets, wholeFile } from './config.testing.ts'
import { configForm, readConfig } from './config.ts'
import { checkShop } from './server.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

const whole: Json = wholeFile
const withoutSecret = (...names: string[]) => ({ ...secrets, ...Object.fromEntries(names.map((name) => [name, ''])) })

describe('the schema and the program', () => {
  const follows = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(configForm.schema)
  /** What is put in place of each value. */
  const others: readonly Json[] = [
    null,
    true,
    false,
    -1,
    0,
    7,
    1.5,
    65_536,
    '',
    ' ',
    'a',
    'sandbox',
    'auto',
    'https://shop.example',
    'https://shop.example/a b',
    'http://shop.example/path?query#fragment',
    'javascript:alert(1)',
    'postgres://database/shop',
    'mysql://database/shop',
    'Bücher 📚',
    'x'.repeat(65),
    'x'.repeat(300),
    'line\nbreak',
    [],
    {},
    [{}],
    { name: 'x' },
  ]

  function* changesOf(value: Json): Generator<Json> {
    yield* others
    if (Array.isArray(value)) {
      yield [...value, ...value]
      for (const [at, each] of value.entries())
        for (const changed of changesOf(each)) yield [...value.slice(0, at), changed, ...value.slice(at + 1)]
    } else if (typeof value === 'object' && value !== null) {
      yield { ...value, misspelt: 1 }
      yield JSON.parse(`{"__proto__":{"port":1},${JSON.stringify(value).slice(1)}`)
      for (const [name, each] of Object.entries(value)) {
        const { [name]: _, ...rest } = value as Record<string, Json>
        yield rest
        yield { ...rest, [`${name}x`]: each }
        yield { ...rest, [name.toUpperCase()]: each }
        for (const changed of changesOf(each)) yield { ...rest, [name]: changed }
      }
    }
  }

  it('accept and refuse the same, whatever is changed', () => {
    const counts = { accepted: 0, refused: 0 }
    for (const changed of [whole, ...changesOf(whole)]) {
      const refusal = refusalOf(() => configForm.read(changed, ''))
      expect([follows(changed), refusal], JSON.stringify(changed)).toEqual([refusal === undefined, refusal])
      counts[refusal === undefined ? 'accepted' : 'refused']++
    }
    expect([counts.accepted > 100, counts.refused > 1_000], JSON.stringify(counts)).toEqual([true, true])
  })

  it('both want a name of a shop that can stand in an address', () => {
    const { books } = wholeFile.shops
    const verdicts = ['books', 'b', 'x'.repeat(32), 'health', 'v1', 'x'.repeat(33), '1a', 'Books', 'a/b', '..', ''].map(
      (name) => {
        const file = { ...wholeFile, shops: { [name]: books } }
        expect(follows(file)).toBe(refusalOf(() => configForm.read(file, '')) === undefined)
        return follows(file)
      },
    )
    expect(verdicts).toEqual([true, true, true, ...Array(8).fill(false)])
  })
})

describe('the file', () => {
  const read = (file: object, env: Record<string, string> = secrets) => readConfig(JSON.stringify(file), env)
  const [{ books, ...shops }, { $schema: _, ...rest }] = [wholeFile.shops, wholeFile]
  const hash = secrets.PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH
  const withBooks = (changes: object) => ({ ...wholeFile, shops: { ...shops, books: { ...books, ...changes } } })

  it('is read with the secrets of its shops', () => {
    const { shops: read_, ...server } = read(wholeFile)
    expect(server).toEqual({
      port: 8080,
      host: '127.0.0.1',
      metricsPort: 9464,
      publicUrl: 'https://pay.shop.example',
      trustedProxies: 1,
      store: 'data/shops.sqlite',
    })
    expect(read_).toMatchObject([
      {
        name: 'books',
        service: { baseUrl: 'https://service.example', subAccountId: 'sub-1', accessToken: 'token-of-the-service' },
        linkSecrets: [secrets.PAYWINDOW_BOOKS_LINK_SECRET],
        apiSecrets: [secrets.PAYWINDOW_BOOKS_API_SECRET],
        eventsSecrets: [secrets.PAYWINDOW_BOOKS_EVENTS_SECRET],
        webhookSecret: secrets.PAYWINDOW_BOOKS_WEBHOOK_SECRET,
        adminPasswordHash: secrets.PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH,
        test: false,
      },
      { name: 'tea-house', service: 'sandbox', test: true, eventsSecrets: [], webhookSecret: undefined },
    ])
  })

  it('has defaults, and the token in the variable of its shop', () => {
    const { accessTokenEnv: __, ...service } = books.service
    const file = { publicUrl: 'https://pay.shop.example/', shops: { books: { ...books, service } } }
    expect(read(file)).toMatchObject({
      port: 8080,
      host: undefined,
      publicUrl: 'https://pay.shop.example',
      trustedProxies: 0,
      store: '.paywindow/paywindow.sqlite',
      shops: [{ service: { accessToken: 'token-of-the-service' } }],
    })
  })

  it('takes two secrets at once, and the address of a database from the environment', () => {
    const two = `  ${'a'.repeat(32)} , ${'b'.repeat(32)} `
    const password = 'postgres://shop:password@database/shop'
    const { store, shops: found } = read(rest, {
      ...secrets,
      PAYWINDOW_BOOKS_API_SECRET: two,
      PAYWINDOW_STORE: password,
    })
    expect([store, found[0]?.apiSecrets]).toEqual([password, ['a'.repeat(32), 'b'.repeat(32)]])
  })

  it.each<[string, object, RegExp]>([
    ['an unknown field', { ...rest, prot: 1 }, /^prot is unknown: take it out\. There are \$schema, port/],
    ['a missing field', { shops: {} }, /^publicUrl is missing: The address of this server for payers/],
    ['no shop', { ...rest, shops: {} }, /^shops is empty: it must be your shops by names/],
    ['a name that is no part of an address', { ...rest, shops: { 'A/B': books } }, /^shops has "A\/B"/],
    ['a wrong port', { ...rest, port: '8080' }, /^port must be the port to listen on, a whole number from 0 to 65535/],
    ['a path in publicUrl', { ...rest, publicUrl: 'https://shop.example/pay' }, /^publicUrl must be .*without a path/],
    [
      'a wrong method',
      withBooks({ methods: [{ asset: 'BTC', network: 'bitcoin' }] }),
      /^shops\.books\.methods\[0\]\.name is missing/,
    ],
    [
      'a wrong theme',
      withBooks({ page: { theme: 'blue' } }),
      /^shops\.books\.page\.theme must be the theme: light, dark, auto/,
    ],
    [
      'real money in the sandbox',
      withBooks({ service: 'sandbox' }),
      /^shops\.books\.test must be true with the sandbox/,
    ],
    ...[' ', '\u200b', 'Lantern \u202eBooks'].map((name): [string, object, RegExp] => [
      `${JSON.stringify(name)} as the name of who is paid`,
      withBooks({ merchant: { name } }),
      /^shops\.books\.merchant\.name must be the name that payers read, of 1 to 64 characters that can be seen$/,
    ]),
    ['a folder as store', { ...rest, store: '/data/' }, /^store must be a file, or the address of a database/],
    ...['postgres://a:b@database/shop', 'postgres://a@database/shop?password=b', 'redis://:b@cache'].map(
      (store): [string, object, RegExp] => [
        `a password in ${store}`,
        { ...rest, store },
        /^store has a password: put the whole address into PAYWINDOW_STORE/,
      ],
    ),
    ...['https://service.example', 'https://service.example:443/', 'https://Service.example/a/..'].map(
      (baseUrl): [string, object, RegExp] => [
        `one sub-account for two shops, at ${baseUrl}`,
        {
          ...rest,
          shops: { books, more: { ...books, service: { ...books.service, subAccountId: 'SUB-1', baseUrl } } },
        },
        /^shops\.books and shops\.more have one service\.subAccountId/,
      ],
    ),
    [
      'a logo that is no address',
      withBooks({ page: { logo: 'https://%/' } }),
      /^shops\.books\.page\.logo is no address/,
    ],
    [
      'a port that there is not',
      withBooks({ events: { url: 'https://shop.example:99999/' } }),
      /^shops\.books\.events\.url is no address/,
    ],
    [
      'a password in an address',
      withBooks({ service: { ...books.service, baseUrl: 'https://user:password@service.example' } }),
      /^shops\.books\.service\.baseUrl must be its address, with https:\/\/ and no user name$/,
    ],
  ])('with %s is refused in words', (_, file, message) => {
    const env = {
      ...secrets,
      PAYWINDOW_MORE_LINK_SECRET: 'm'.repeat(32),
      PAYWINDOW_MORE_EVENTS_SECRET: `whsec_${'b'.repeat(32)}`,
    }
    expect(refusalOf(() => read(file, env))).toMatch(message)
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['no link secret', withoutSecret('PAYWINDOW_TEA_HOUSE_LINK_SECRET'), /^PAYWINDOW_TEA_HOUSE_LINK_SECRET is not set/],
    ['no token', withoutSecret('PAYWINDOW_BOOKS_ACCESS_TOKEN'), /^PAYWINDOW_BOOKS_ACCESS_TOKEN is not set/],
    [
      'no secret of events',
      withoutSecret('PAYWINDOW_BOOKS_EVENTS_SECRET'),
      /^PAYWINDOW_BOOKS_EVENTS_SECRET is not set/,
    ],
    [
      'a short secret',
      { ...secrets, PAYWINDOW_BOOKS_API_SECRET: 'hush-hush' },
      /^PAYWINDOW_BOOKS_API_SECRET must be 32 or more/,
    ],
    [
      'a password in place of its hash',
      { ...secrets, PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH: 'hush-hush' },
      /^PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH must be the hash of one password: npx paywindow password books/,
    ],
    [
      'two passwords',
      { ...secrets, PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH: `${hash},${hash}` },
      /^PAYWINDOW_BOOKS_ADMIN_PASSWORD_HASH must be the hash of one password/,
    ],
    [
      'two secrets of the webhook',
      { ...secrets, PAYWINDOW_BOOKS_WEBHOOK_SECRET: 'hush-hush-hush-hush,hush-hush-hush-hash' },
      /^PAYWINDOW_BOOKS_WEBHOOK_SECRET must be one secret/,
    ],
    [
      'one of two short',
      { ...secrets, PAYWINDOW_BOOKS_LINK_SECRET: `${'a'.repeat(32)},hush-hush` },
      /_LINK_SECRET must be 32/,
    ],
    [
      'another secret of events',
      { ...secrets, PAYWINDOW_BOOKS_EVENTS_SECRET: 'whsec_hush-hush' },
      /must be whsec_ and base64/,
    ],
    [
      'the secret of another shop',
      { ...secrets, PAYWINDOW_TEA_HOUSE_API_SECRET: secrets.PAYWINDOW_BOOKS_API_SECRET },
      /^PAYWINDOW_BOOKS_API_SECRET and PAYWINDOW_TEA_HOUSE_API_SECRET have one secret/,
    ],
    ...['LINK_SECRET', 'ACCESS_TOKEN'].map((what): [string, Record<string, string>, RegExp] => [
      `quotes around ${what}`,
      { ...secrets, [`PAYWINDOW_BOOKS_${what}`]: `"hush-hush-${'a'.repeat(32)}"` },
      new RegExp(`^PAYWINDOW_BOOKS_${what} has quotes around it`),
    ]),
    [
      'the secret of links given to the service',
      { ...secrets, PAYWINDOW_BOOKS_WEBHOOK_SECRET: secrets.PAYWINDOW_TEA_HOUSE_LINK_SECRET },
      /^PAYWINDOW_TEA_HOUSE_LINK_SECRET and PAYWINDOW_BOOKS_WEBHOOK_SECRET have one secret/,
    ],
  ])('with %s is refused without a word of a secret', (_, env, message) => {
    const refusal = refusalOf(() => read(wholeFile, env)) ?? ''
    expect(refusal).toMatch(message)
    for (const secret of [...Object.values(secrets), 'hush-hush']) expect(refusal).not.toContain(secret)
  })

  it('may begin with the mark of UTF-8', () => {
    expect(readConfig(`\ufeff${JSON.stringify(wholeFile)}`, secrets).port).toBe(8080)
  })

  it.each<[string, string]>([
    ['{"publicUrl":"a","publicUrl":"b"}', 'publicUrl'],
    ['{"shops":{"books":{},"tea":{},"books" : {}}}', 'shops.books'],
    ['{"shops":{"books":{},"b\\u006foks":{}}}', 'shops.books'],
    [
      '{"shops":{"books":{"methods":[{"asset":"a"},{"asset":"a","name":"x","asset":"b"}]}}}',
      'shops.books.methods.asset',
    ],
  ])('%s is refused, because one of two would be forgotten', (json, name) => {
    expect(refusalOf(() => readConfig(json, secrets))).toBe(`${name} is there twice: take one out`)
  })

  it('may have a name again in another object, or as a value', () => {
    const again = { ...wholeFile, host: 'port', store: '{"a":1,"a":' }
    expect(refusalOf(() => read(again))).toBeUndefined()
  })

  it('that is no JSON is not quoted', () => {
    expect(refusalOf(() => readConfig('{"hush-hush"', secrets))).toBe(
      'it is no JSON: look for a missing comma or quote',
    )
  })
})

describe('a shop', () => {
  const read = (changes: object) => {
    const { books } = wholeFile.shops
    return readConfig(JSON.stringify({ ...wholeFile, shops: { books: { ...books, ...changes } } }), secrets).shops[0]
  }
  const method = { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }
  const token = { contract: '0x833589fcD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 }

  it.each<[string, object, RegExp]>([
    [
      'two equal methods',
      { methods: [method, { ...method, network: 'Bitcoin' }] },
      /^shops\.books: methods has one asset and network twice/,
    ],
    [
      'a wrong contract',
      { methods: [{ asset: 'USDC', network: 'base', name: 'USDC', token }] },
      /its checksum is wrong/,
    ],
    ['a currency as coin', { methods: [{ asset: 'EUR', network: 'sepa', name: 'Euro' }] }, /EUR is a fiat currency/],
    [
      'a query in the address of the service',
      { service: { ...wholeFile.shops.books.service, baseUrl: 'https://service.example/?a=b' } },
      /^shops\.books: baseUrl must not have a query/,
    ],
    [
      'events in clear',
      { events: { url: 'http://shop.example/' } },
      /^shops\.books\.events\.url must begin with https/,
    ],
    ...['127.0.0.1', '[::1]', '10.1.2.3', '2130706433', 'localhost', 'shop.localhost.'].map(
      (host): [string, object, RegExp] => [
        `events at ${host}`,
        { events: { url: `https://${host}/` } },
        /^shops\.books\.events\.url: \S+ is not a public address: set allowPrivate beside it$/,
      ],
    ),
  ])('with %s is refused before it is served', async (_, changes, message) => {
    const shop = read(changes)
    await expect(async () => shop && checkShop(shop)).rejects.toThrow(message)
  })

  it('as the file says it is served', async () => {
    const shop = read({})
    await expect(shop && checkShop(shop)).resolves.toBeUndefined()
  })
})

/** What the reading is refused with; undefined where it is not. */
function refusalOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof ParseError) return error.message
    throw error
  }
}
