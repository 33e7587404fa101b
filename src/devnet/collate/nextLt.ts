const STEP = 1_000_000n

/** The logical time at which a block starts: on a multiple of a million that nothing before it has passed. */
export const nextStartLt = (...reached: readonly bigint[]): bigint => {
  const last = reached.reduce((max, lt) => (lt > max ? lt : max), 0n)
  return last === 0n ? STEP : ((last + STEP - 1n) / STEP) * STEP
}
