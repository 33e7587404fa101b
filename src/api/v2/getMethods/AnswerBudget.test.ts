import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import type { VmStack } from '../../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../../codec/tlb/VmValue.ts'
import { StackTooLargeError } from '../errors.ts'
import { toLegacyStack, toTypedStack } from '../views/stacks.ts'
import { countSpelledCells } from './AnswerBudget.ts'

const chain = (length: number, fan: number): Cell => {
  let cell = emptyCell
  for (let k = 0; k < length; k++) {
    const w = new CellWriter()
    for (let ref = 0; ref < fan; ref++) w.writeRef(cell)
    cell = w.toCell()
  }
  return cell
}

it('counts every path to a cell, and every cell once', () => {
  assert.deepEqual(countSpelledCells(emptyCell), { spelled: 1, distinct: 1 })
  assert.deepEqual(countSpelledCells(chain(5, 1)), { spelled: 6, distinct: 6 })
  assert.deepEqual(countSpelledCells(chain(3, 4)), { spelled: 1 + 4 + 16 + 64, distinct: 4 })
  assert.deepEqual(countSpelledCells(decodeSingleBoc(encodeBoc([chain(3, 4)]))), { spelled: 85, distinct: 4 })
})

it('takes no longer for a few cells that spell out endlessly many', () => {
  assert.deepEqual(countSpelledCells(chain(40, 2)), { spelled: 2 ** 41 - 1, distinct: 41 })
  assert.deepEqual(countSpelledCells(chain(1000, 4)), { spelled: Number.POSITIVE_INFINITY, distinct: 1001 })
})

/** Cells full of data, each in the one before. */
const fullChain = (length: number): Cell => {
  let cell = emptyCell
  for (let k = 0; k < length; k++)
    cell = new CellWriter().writeBytes(new Uint8Array(120).fill(k)).writeRef(cell).toCell()
  return decodeSingleBoc(encodeBoc([cell]))
}

it('a stack may hold the same cells a few times over, and no more', async () => {
  const large = fullChain(500)
  for (const toStack of [toLegacyStack, toTypedStack]) {
    const stackOf = (entries: number): VmStack => Array.from({ length: entries }, () => ({ kind: 'cell', cell: large }))
    assert.equal((await toStack(stackOf(8))).length, 8)
    await assert.rejects(toStack(stackOf(60)), StackTooLargeError)
  }
})

it('cells within one another count once', async () => {
  const parts: VmValue[] = []
  for (let cell = fullChain(200); cell.refCount > 0; cell = cell.ref(0)) parts.push({ kind: 'cell', cell })
  await assert.rejects(toLegacyStack(parts), StackTooLargeError)
  await assert.rejects(toTypedStack(parts), StackTooLargeError)
})
