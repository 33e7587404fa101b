import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatProgress } from './progress.ts'

const progress = {
  ranges: [{ first: 751, last: 1000 }],
  head: 1000,
  missing: 750,
  blocks: 250,
  transactions: 4000,
  blocksPerSecond: 12.5,
  transactionsPerSecond: 812.3,
  secondsLeft: 60,
  failure: undefined,
}

test('a person sees how far it is, how fast and how long', () => {
  assert.equal(
    formatProgress(progress),
    '██████░░░░░░░░░░░░░░░░░░ 25.0 %  751–1000 of 1000  12.5 blocks/s, 812 tx/s  750 to go, 60 s',
  )
})

test('trouble is said, and the end', () => {
  assert.match(formatProgress({ ...progress, failure: 'fetch: gone' }), / {2}! fetch: gone$/)
  assert.match(formatProgress({ ...progress, ranges: [{ first: 1, last: 1000 }], missing: 0 }), /100\.0 % .* complete$/)
  assert.match(formatProgress({ ...progress, ranges: [], head: undefined, missing: 0 }), /nothing yet of \?/)
})
