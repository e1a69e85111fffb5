/**
 * How much of a large table or of many drawn cases runs. `npm test` runs some of them;
 * `npm run test:money` and `npm run test:all` run all of them, and set `PAYWINDOW_TESTS=all` for
 * that. For tests only.
 */
const tier = process.env.PAYWINDOW_TESTS ?? 'small'
if (tier !== 'small' && tier !== 'all') throw new Error(`PAYWINDOW_TESTS is ${tier}: expected small or all`)

/** What this run takes of the two: for counts of drawn cases, tables and lengths of time. */
export function inTier<Value>(small: Value, all: Value): Value {
  return tier === 'all' ? all : small
}

/**
 * In the small tier every so manieth value of a table, the first one among them. A step that has no
 * factor in common with the sizes of the table's dimensions meets every value of each dimension.
 */
export function someOf<Value>(values: readonly Value[], step: number): readonly Value[] {
  const some = values.filter((_, at) => at % step === 0)
  if (some.length === 0) throw new Error('A test of an empty table proves nothing')
  return inTier(some, values)
}
