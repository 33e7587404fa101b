import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { formatTable, roundFigure } from './formatTable.ts'
import { measure, median } from './measure.ts'

/** A clock that only work moves: a call of a rival takes exactly as long as it says, of which half is processor time. */
const mockClock = (t: TestContext) => {
  let elapsedMs = 0
  t.mock.method(performance, 'now', () => elapsedMs)
  t.mock.method(process, 'cpuUsage', (start = { user: 0, system: 0 }) => ({
    user: elapsedMs * 400 - start.user,
    system: elapsedMs * 100 - start.system,
  }))
  return (ms: number): void => {
    elapsedMs += ms
  }
}

test('the median is the middle, or the mean of the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 2, 3]), 2.5)
  assert.equal(median([10, 9]), 9.5)
})

test('rivals take turns, and each is measured for one call', (t) => {
  const work = mockClock(t)
  const turns: string[] = []
  const rival = (name: string, ms: number) => () => {
    if (turns.at(-1) !== name) turns.push(name)
    work(ms)
  }
  const rivals = { slow: rival('slow', 16), fast: rival('fast', 2) }
  assert.deepEqual(measure(rivals, { rounds: 3, roundMs: 8, warmupMs: 4 }), {
    slow: { cpuMs: 8, wallMs: 16, rounds: 3, callsPerRound: 1 },
    fast: { cpuMs: 1, wallMs: 2, rounds: 3, callsPerRound: 4 },
  })
  // One turn each to warm up, then one each in every round.
  assert.deepEqual(turns, ['slow', 'fast', 'slow', 'fast', 'slow', 'fast', 'slow', 'fast'])
})

test('one round that was disturbed does not move the result', (t) => {
  const work = mockClock(t)
  let calls = 0
  const { only } = measure({ only: () => work(++calls === 3 ? 500 : 10) }, { rounds: 5, roundMs: 10, warmupMs: 10 })
  assert.deepEqual([only.wallMs, only.cpuMs], [10, 5])
})

test('it also works on the real clock', () => {
  const { sum } = measure(
    { sum: () => Array.from({ length: 1000 }, (_, i) => i).length },
    { rounds: 2, roundMs: 2, warmupMs: 2 },
  )
  assert.ok(sum.wallMs > 0 && sum.wallMs < 1000, `one call took ${sum.wallMs} ms`)
  assert.ok(sum.callsPerRound >= 1, `a round had ${sum.callsPerRound} calls`)
})

test('a table has a column for each key and aligns numbers to the right', () => {
  const rows = [
    { what: 'ours', 'cpu ms': 1.23456, cells: 18_144 },
    { what: 'another library', 'cpu ms': 84, cells: 7 },
  ]
  assert.equal(
    formatTable(rows),
    [
      'what             cpu ms  cells',
      '---------------  ------  -----',
      'ours              1.235  18144',
      'another library      84      7',
    ].join('\n'),
  )
})

test('figures keep four significant digits, whole numbers all', () => {
  assert.deepEqual(
    [1.23456, 1234.5678, 123_456_789, 0.000123456].map(roundFigure),
    [1.235, 1235, 123_456_789, 0.0001235],
  )
})
