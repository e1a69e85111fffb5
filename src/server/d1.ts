/** `paywindow/server/d1`: a store in Cloudflare D1, through the binding of a Worker. */

export { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
export { createD1Store, type D1StoreDatabase, type D1StoreOptions, type D1StoreStatement } from './store/d1.ts'
export type { Due, ListOptions, NewRecord, Replacement, Rescheduling, Store, StoredRecord } from './store/store.ts'
