/** The whole contract of stores, as sentences with the code that checks each. */
import type { Rules } from '../test-stores.ts'
import { batchRules } from './batches.ts'
import { faultRules } from './faults.ts'
import { leaseRules } from './leases.ts'
import { listRules } from './lists.ts'
import { raceRules } from './races.ts'
import { recordRules } from './records.ts'
import { textRules } from './texts.ts'

/** By sentences, no two alike. */
export const rules: Rules = {
  ...recordRules,
  ...batchRules,
  ...listRules,
  ...leaseRules,
  ...raceRules,
  ...faultRules,
  ...textRules,
}
