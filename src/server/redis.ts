/**
 * `paywindow/server/redis`: a store in Redis or Valkey, for every runtime, through the client that
 * the merchant passes in.
 */

export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export { createRedisStore, type RedisCommand, type RedisStoreOptions } from './store/redis.ts'
export type { Due, ListOptions, NewRecord, Replacement, Rescheduling, Store, StoredRecord } from './store/store.ts'
