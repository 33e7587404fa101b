import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CellWriter } from './CellWriter.ts'
import { CellError } from './errors.ts'
import { NodeBudget } from './NodeBudget.ts'

const cells = Array.from({ length: 30_000 }, (_, k) => new CellWriter().writeUint(k, 32).toCell())
const tooMany = new CellError('A dictionary has more than 3 nodes, the most that is read here.')
const tooOften = new CellError('A dictionary leads back to the same cells more than 16384 times.')

test('no more nodes than were allowed', () => {
  const budget = new NodeBudget(3)
  for (let k = 0; k < 3; k++) budget.spend(cells[0]!)
  assert.throws(() => budget.spend(cells[0]!), tooMany)
})

test('different cells cost nothing but their number', () => {
  const budget = new NodeBudget()
  for (const cell of cells) budget.spend(cell)
})

test('the same cells over and over are noticed', () => {
  const budget = new NodeBudget()
  // 4096 visits are not watched; the first watched visit is not yet a repetition.
  for (let k = 0; k < 4096 + 1 + 16_384; k++) budget.spend(cells[0]!)
  assert.throws(() => budget.spend(cells[0]!), tooOften)
})
