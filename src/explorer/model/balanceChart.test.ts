import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawBalances, findNearest } from './balanceChart.ts'

test('balances are steps between the lowest and the highest', () => {
  const chart = drawBalances(
    [
      { utime: 100, balance: 0n },
      { utime: 150, balance: 10n ** 18n },
      { utime: 200, balance: 5n * 10n ** 17n },
    ],
    100,
    50,
  )
  assert.deepEqual(chart.points, [
    { x: 0, y: 50 },
    { x: 50, y: 0 },
    { x: 100, y: 25 },
  ])
  assert.equal(chart.line, 'M0 50H50V0H100V25')
  assert.equal(chart.area, 'M0 50H50V0H100V25V50H0z')
  assert.equal(findNearest(chart.points, 60), 1)
})

test('small changes of a large balance are seen, and one balance is a line', () => {
  const far = drawBalances(
    [
      { utime: 1, balance: 1000n },
      { utime: 2, balance: 1001n },
    ],
    100,
    50,
  )
  assert.deepEqual([far.low, far.high, far.points[0]!.y], [1000n, 1001n, 50])
  const one = drawBalances([{ utime: 1, balance: 7n }], 100, 50)
  assert.deepEqual([one.low, one.line], [7n, 'M0 25H100'])
  assert.equal(drawBalances([{ utime: 1, balance: 0n }], 100, 50).points[0]!.y, 25)
})
