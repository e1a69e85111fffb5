/**
 * `paywindow/server/postgres`: a store in Postgres, for every runtime, through the driver that the
 * merchant passes in.
 */

export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export { createPostgresStore, type PostgresQuery, type PostgresStoreOptions } from './store/postgres.ts'
export { postgresSchema } from './store/postgres-schema.ts'
export type { Due, ListOptions, NewRecord, Replacement, Rescheduling, Store, StoredRecord } from './store/store.ts'
