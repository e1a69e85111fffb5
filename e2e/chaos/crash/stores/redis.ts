/** A Redis that writes to the disk before it replies, which is killed. */
import { keysOf } from '../../../../src/server/store/redis-script.ts'
import { connectNodeRedis } from '../../../stores/redis-clients.ts'
import { redisStarted } from '../../../stores/start-store.ts'
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
  const started = await redisStarted()
  const copyAll = async (from: readonly string[], to: readonly string[]) => {
    const client = await connectNodeRedis({ path: started.place.path })
    await client.send('EVAL', copy, `${from.length + to.length}`, ...from, ...to)
    client.close()
  }
  return {
    ...started,
    backUp: () => copyAll(keys, copies),
    restore: () => copyAll(copies, keys),
    readableByOthers: () => [],
  }
}
