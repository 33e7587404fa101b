import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSkips } from './checkSkips.ts'

const skipping = (...reasons: string[]) => ({
  file: 'a.test.ts',
  passed: 1,
  failures: [],
  skips: reasons.map((reason) => ({ name: 'x', reason })),
  suites: new Set<string>(),
  output: [],
  unfinished: 0,
})

const allowances = { alone: { '../shared': 2, redis: 1 }, withShared: { redis: 1 } }

test('as many skips as the file allows are none too many', () => {
  const results = [skipping('no ../shared/a'), skipping('no ../shared/b', 'no redis')]
  assert.deepEqual(checkSkips(results, allowances, false), [])
  assert.deepEqual(checkSkips(results, undefined, true), [])
})

test('one more, a reason of another kind of clone and an unknown reason are named', () => {
  assert.deepEqual(checkSkips([skipping('no redis', 'no redis here')], allowances, false), [
    '2 tests were skipped because of "redis", 1 may be (test/skips.json, alone).',
  ])
  assert.deepEqual(checkSkips([skipping('no ../shared/a', 'too tired')], allowances, true), [
    '1 tests were skipped because of "no ../shared/a", 0 may be (test/skips.json, withShared).',
    '1 tests were skipped because of "too tired", 0 may be (test/skips.json, withShared).',
  ])
})
