/** A Redis that writes to the disk before it replies, which is killed. */
import { connectNodeRedis } from '../../../../src/server/store/redis-clients.testing.ts'
import { keysOf } from '../../../../src/server/store/redis-script.ts'
import { findRedis, noRedisAdvice, startRedis } from '../../../../src/server/store/redis-server.testing.ts'
import type { CrashStore } from './store.ts'

const keys = keysOf('paywindow')
/** Copies each key of the first half of those given to its place in the other half. What is not there is not there afterwards. */
const copy = `
for at = 1, #KEYS / 2 do
  redis.call('DEL', KEYS[at + #KEYS / 2])
  redis.call('COPY', KEYS[at], KEYS[at + #KEYS / 2])
end`
const copies = keys.map((key) => `copy:${key}`)

/** @throws Error with what to do where this machine has none. */
export async function redisStore(): Promise<CrashStore> {
  const [program] = findRedis()
  if (program === undefined) throw new Error(noRedisAdvice)
  const redis = await startRedis(program)
  const copyAll = async (from: readonly string[], to: readonly string[]) => {
    const client = await connectNodeRedis({ path: redis.path })
    await client.send('EVAL', copy, `${from.length + to.length}`, ...from, ...to)
    client.close()
  }
  return {
    place: { kind: 'redis', path: redis.path },
    backUp: () => copyAll(keys, copies),
    restore: () => copyAll(copies, keys),
    crash: () => redis.restart(),
    readableByOthers: () => [],
    stop: redis.stop,
  }
}
