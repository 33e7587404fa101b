import assert from 'node:assert/strict'
import type { Difference } from './differences.ts'

/** Every line must be explained by a listed difference, and every difference must explain one. */
export const explainLines = (lines: readonly string[], differences: readonly Difference[]): void => {
  const used = new Set<Difference>()
  const unexplained = lines.filter((line) => {
    const listed = differences.find((each) => each.lines.test(line))
    if (listed !== undefined) used.add(listed)
    return listed === undefined
  })
  assert.deepEqual(unexplained, [])
  assert.deepEqual(
    differences.filter((each) => !used.has(each)).map(({ lines: { source }, reason }) => `${source}: ${reason}`),
    [],
    'these listed differences are no longer needed',
  )
}
