/** Passing and lasting failures of databases, with drivers that fail as real ones do. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { D1StoreDatabase, D1StoreStatement } from './d1.ts'
import { createD1Store } from './d1.ts'
import { createPostgresStore } from './postgres.ts'
import { createRedisStore } from './redis.ts'
import { everyVerb, record } from './store-cases.testing.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Lets the pauses pass. */
async function settled<Value>(work: Promise<Value>): Promise<Value> {
  const end = Promise.allSettled([work])
  await vi.runAllTimersAsync()
  await end
  return work
}

/** Fails so many times, and then no more. */
function failing(error: () => unknown, times: number) {
  let left = times
  return {
    left: () => left,
    maybe: () => {
      if (left === 0) return
      left -= 1
      throw error()
    },
  }
}

const coded = (code: string, message = 'refused') => Object.assign(new Error(message), { code })
/** Of a socket, with what it did. */
const socketError = (code: string, syscall: string) => Object.assign(coded(code), { syscall })
/** As Node has it where a name has several addresses. */
const ofEach = (...errors: NodeJS.ErrnoException[]) =>
  Object.assign(new AggregateError(errors), { code: errors[0]?.code })

describe('a store in Postgres', () => {
  interface World {
    readonly encoding?: string
    readonly readOnly?: string
    readonly onMake?: () => void
    readonly onStatement?: () => void
  }

  function open({ encoding = 'UTF8', readOnly = 'off', onMake, onStatement }: World) {
    const sent: string[] = []
    const store = createPostgresStore({
      query: async (text) => {
        if (text.includes('server_encoding')) return { rows: [{ encoding, replica: readOnly }] }
        if (text.includes('paywindow_versions v')) {
          if (text.startsWith('DO')) onMake?.()
          return { rows: [{ version: '2', oldest: '2' }] }
        }
        sent.push(text)
        onStatement?.()
        return { rows: [] }
      },
    })
    return { store, sent }
  }

  it.each([
    ['pg, of a serializable database', coded('40001', 'could not serialize access due to concurrent update')],
    ['pg, of two that wait for each other', coded('40P01')],
    ['pg, of a server that starts', coded('57P03')],
    ['pg, of a lock that another holds for long', coded('57014')],
    ['pg, of a transaction that took too long', coded('25P04')],
    ['pg, of a connection that a person ends', coded('57P01')],
    ['pg, of a connection that was idle for too long', coded('57P05')],
    ['pg, of a server without a connection to spare', coded('53300')],
    ['pg, of a server that does not listen yet', coded('ECONNREFUSED')],
    ['pg, of a server whose name is not there for a while', coded('ENOTFOUND')],
    ['pg, of a network that is away', socketError('EHOSTUNREACH', 'connect')],
    [
      'pg, of a server with an address that this machine has no way to',
      ofEach(socketError('ENETUNREACH', 'connect'), socketError('ECONNREFUSED', 'connect')),
    ],
    ['pg, of a pool whose connections are all in use', new Error('timeout exceeded when trying to connect')],
    ['pg, of a pool that gets no new connection', new Error('Connection terminated due to connection timeout')],
    ['postgres.js, of a server that does not answer', coded('CONNECT_TIMEOUT')],
    ['a pooler that reaches no server', coded('08001')],
    [
      'Neon over HTTP, which is not reached',
      Object.assign(new Error('Error connecting to database'), {
        sourceError: new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }),
      }),
    ],
    ['PgBouncer, which takes no more clients', coded('08P01', 'no more connections allowed (max_client_conn)')],
    ['PgBouncer, while Postgres starts', coded('08P01', 'server login has been failing, try again later')],
    ['PgBouncer, whose connections are all in use', coded('08P01', 'query_wait_timeout')],
    ['a wrapper with a cause', new Error('Failed query', { cause: coded('40001') })],
    ['Sequelize', Object.assign(new Error('refused'), { original: coded('40001') })],
    ['TypeORM', Object.assign(new Error('refused'), { driverError: coded('40P01') })],
    ['Prisma', Object.assign(coded('P2010'), { meta: { code: '40001' } })],
    ['a driver over HTTP', new Error('could not serialize access due to read/write dependencies among transactions')],
  ])('sends a statement again that was undone, as %s says', async (_, error) => {
    let left = 0
    const onStatement = () => {
      left -= 1
      if (left >= 0) throw error
    }
    for (const [, call] of everyVerb(open({ onStatement }).store)) {
      left = 3
      await settled<unknown>(call())
      expect(left).toBe(-1)
    }
  })

  it.each(['42P07', '42P06', '42710', '42723', '42701', '23505'])(
    'makes its tables beside another server: %s',
    async (code) => {
      const fault = failing(() => coded(code), 2)
      await settled(open({ onMake: fault.maybe }).store.read('a'))
      expect(fault.left()).toBe(0)
    },
  )

  it.each([
    ['a connection that was lost', coded('ECONNRESET')],
    ['a connection to a host that has gone', socketError('EHOSTUNREACH', 'read')],
    ['a connection that postgres.js has lost', coded('CONNECTION_CLOSED')],
    ['an address of several that was reached', ofEach(socketError('ENETUNREACH', 'connect'), coded('ECONNRESET'))],
    ['a value that Postgres refuses', coded('22P02')],
    ['a row that is there already', coded('23505')],
  ])('sends nothing again after %s', async (_, error) => {
    const { store, sent } = open({ onStatement: failing(() => error, 1).maybe })
    await expect(settled(store.create(record('a')))).rejects.toBe(error)
    expect(sent).toHaveLength(1)
  })

  it('gives up after ten seconds, with the error of Postgres', async () => {
    const error = coded('40001')
    const { store } = open({ onStatement: failing(() => error, 1_000).maybe })
    const began = Date.now()
    await expect(settled(store.read('a'))).rejects.toBe(error)
    expect(Date.now() - began).toBeLessThanOrEqual(10_000)
  })

  it.each(['LATIN1', 'SQL_ASCII', 'WIN1252'])('refuses a database in %s before it makes a table', async (encoding) => {
    const onMake = vi.fn()
    await expect(settled(open({ encoding, onMake }).store.read('a'))).rejects.toThrow(
      `The encoding of this database is ${encoding}, which has not all letters of names and carts. Use one of UTF-8: CREATE DATABASE`,
    )
    expect(onMake).not.toHaveBeenCalled()
  })

  it('says that a SELECT comes to a replica, at the start and later', async () => {
    await expect(settled(open({ readOnly: 'on' }).store.read('a'))).rejects.toThrow(/replica.*disk.*each SELECT/)
    const moved = open({ onStatement: failing(() => coded('25006'), 1).maybe })
    await expect(settled(moved.store.lease('a', 'one', 9))).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('the primary has moved'),
      cause: { code: '25006' },
    })
    expect(await settled(moved.store.lease('a', 'one', 9))).toBe(false)
  })

  it('says what to grant where its role may not do what it has to', async () => {
    const error = coded('42501', 'permission denied for schema paywindow')
    const refusing = [
      open({
        onMake: () => {
          throw error
        },
      }),
      open({ onStatement: failing(() => error, 1).maybe }),
    ]
    for (const { store } of refusing)
      await expect(settled(store.create(record('a')))).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringMatching(
          /\(42501: permission denied for schema paywindow\).*migrate --schema paywindow.*GRANT/,
        ),
        cause: error,
      })
  })
})

describe('a store in Redis', () => {
  const info = 'maxmemory_policy:noeviction\r\naof_enabled:1\r\nconnected_slaves:0'

  /** @param onScript - Called before each run of the script that is no look at the server. */
  function open(onScript: () => void, onClient: (parts: readonly string[]) => unknown = () => 7) {
    const sent: string[] = []
    const store = createRedisStore({
      command: async (parts) => {
        const [name, ...rest] = parts
        if (name === 'CONFIG') return [rest[1], 'always']
        if (name === 'CLIENT') return onClient(parts)
        if (rest.includes('prepare')) return ['1 1', info]
        sent.push(name)
        onScript()
        return []
      },
    })
    return { store, sent }
  }

  it.each([
    'LOADING Redis is loading the dataset in memory',
    'TRYAGAIN Multiple keys request during rehashing of slot',
    'CLUSTERDOWN The cluster is down',
    'MOVED 3999 127.0.0.1:6381',
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'BUSY Redis is busy running a script.',
    'NOREPLICAS Not enough good replicas to write.',
    'The client is offline',
    "Stream isn't writeable and enableOfflineQueue options is false",
  ])('sends a command again after %s', async (words) => {
    const fault = failing(() => new Error(words), 3)
    await settled(open(fault.maybe).store.create(record('a')))
    expect(fault.left()).toBe(0)
  })

  it('is refused within five minutes once somebody lets a full Redis delete records', async () => {
    let policy = 'noeviction'
    const store = createRedisStore({
      command: async ([name, ...rest]) =>
        name === 'CONFIG'
          ? [rest[1], 'always']
          : rest.includes('prepare')
            ? ['1 1', `maxmemory_policy:${policy}\r\naof_enabled:1`]
            : [],
    })
    await store.read('a')
    policy = 'allkeys-lru'
    vi.advanceTimersByTime(300_000)
    await expect(settled(store.read('a'))).rejects.toThrow(/maxmemory-policy of this Redis is allkeys-lru/)
    policy = 'noeviction'
    expect(await settled(store.read('a'))).toBeUndefined()
  })

  it.each(['OOM command not allowed', 'Socket closed unexpectedly', 'NOPERM no permissions'])(
    'sends nothing again after %s',
    async (words) => {
      const { store, sent } = open(failing(() => new Error(words), 1).maybe)
      await expect(settled(store.create(record('a')))).rejects.toThrow(words)
      expect(sent).toHaveLength(1)
    },
  )

  it.each([
    "OOM command not allowed when used memory > 'maxmemory'.",
    'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
    'WRONGPASS invalid username-password pair or user is disabled.',
  ])('passes on what Redis has replied: %s', async (words) => {
    const reply = new Error(words)
    await expect(settled(open(failing(() => reply, 1).maybe).store.create(record('a')))).rejects.toMatchObject({
      code: 'internal',
      message: `Redis has refused a command: ${words}`,
      cause: reply,
    })
  })

  it("keeps a driver's own words, which may hold secrets, to its error", async () => {
    const error = new Error('Invalid URL: redis://:hunter2@')
    await expect(settled(open(failing(() => error, 1).maybe).store.create(record('a')))).rejects.toBe(error)
  })

  it.each(["READONLY You can't write against a read only replica.", "ERR script: 1, READONLY You can't write against"])(
    'leaves a server that has become a replica: %s',
    async (words) => {
      let isReplica = true
      const clients: string[] = []
      const { store } = open(
        () => {
          if (isReplica) throw new Error(words)
        },
        (parts) => {
          clients.push(parts.join(' '))
          if (parts[1] === 'ID') return 7
          isReplica = false
          throw new Error('Socket closed unexpectedly')
        },
      )
      await settled(store.lease('a', 'one', 9))
      expect(clients).toEqual(['CLIENT ID', 'CLIENT KILL ID 7 SKIPME no'])
    },
  )

  it('says that it is a replica where it may not leave it, or finds no other', async () => {
    const readOnly = new Error("READONLY You can't write against a read only replica.")
    const forbidden = open(
      () => {
        throw readOnly
      },
      () => Promise.reject(new Error('NOPERM')),
    )
    await expect(settled(forbidden.store.lease('a', 'one', 9))).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringMatching(/^This Redis is a replica and only reads \(READONLY\)/),
      cause: readOnly,
    })
  })
})

describe('a store in D1', () => {
  /** Fails with each batch but those that make the tables. */
  function open(onBatch: () => void, onMake: () => void = () => {}) {
    let batches = 0
    const database: D1StoreDatabase = {
      prepare: () => {
        const statement: D1StoreStatement = { bind: () => statement }
        return statement
      },
      batch: async (statements) => {
        batches += 1
        if (batches === 1) onMake()
        else onBatch()
        return statements.map(() => ({ results: [{ version: 2, oldest: 2 }] }))
      },
    }
    return createD1Store({ database })
  }

  const notDone = [
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
    'Internal error while starting up D1 DB storage caused object to be reset.',
    'D1_ERROR: database is locked: SQLITE_BUSY',
  ]
  const unknown = ['D1_ERROR: Network connection lost.', 'D1_ERROR: D1 DB reset because its code was updated.']

  it.each(notDone)('writes again after: %s', async (words) => {
    const fault = failing(() => new Error(words), 3)
    await settled(open(fault.maybe).release('a', 'one'))
    expect(fault.left()).toBe(0)
  })

  it.each([...notDone, ...unknown])('reads again after: %s', async (words) => {
    const fault = failing(() => new Error(words), 3)
    await settled(open(fault.maybe).list('a', { limit: 9 })).catch((error: Error) => {
      // The rows of this database are none of a store.
      expect(error.message).toContain('columns of other types')
    })
    expect(fault.left()).toBe(0)
  })

  it.each(unknown)('writes nothing twice after: %s', async (words) => {
    await expect(settled(open(failing(() => new Error(words), 1).maybe).release('a', 'one'))).rejects.toThrow(words)
  })
})
