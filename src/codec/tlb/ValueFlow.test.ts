import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell, Dictionary, storeCurrencyCollection } from '@ton/core'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { amount } from '../../../test/support/sampleMessages.ts'
import { toHex } from '../../primitives/hex.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { openValueFlow, type ValueFlow, writeValueFlow } from './ValueFlow.ts'

const flow: ValueFlow = {
  fromPrevBlk: amount(100n, [[239, 7n]]),
  toNextBlk: amount(101n, [[239, 7n]]),
  imported: amount(3n),
  exported: amount(4n),
  feesCollected: amount(5n),
  burned: undefined,
  feesImported: amount(6n),
  recovered: amount(0n),
  created: amount(1_700_000_000n),
  minted: amount(2n ** 120n - 1n),
}

const coreAmount = (coins: bigint, extra?: readonly [number, bigint]): Builder => {
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
  if (extra !== undefined) other.set(...extra)
  return beginCell().store(storeCurrencyCollection({ coins, other }))
}

const coreFlow = (tag: number, burned?: bigint): Builder => {
  const through = [coreAmount(100n, [239, 7n]), coreAmount(101n, [239, 7n]), coreAmount(3n), coreAmount(4n)]
  const added = [coreAmount(6n), coreAmount(0n), coreAmount(1_700_000_000n), coreAmount(2n ** 120n - 1n)]
  const join = (parts: readonly Builder[]) => parts.reduce((all, part) => all.storeBuilder(part), beginCell())
  const b = beginCell().storeUint(tag, 32).storeRef(join(through)).storeBuilder(coreAmount(5n))
  if (burned !== undefined) b.storeBuilder(coreAmount(burned))
  return b.storeRef(join(added))
}

test('without anything burned the first version of the layout is written', () => {
  const cell = writeWhole(writeValueFlow, flow)
  assert.equal(toHex(cell.hash()), coreFlow(0xb8e48dfb).endCell().hash().toString('hex'))
  const read = openValueFlow(cell)
  assert.equal(read.burned, undefined)
  assert.deepEqual(
    [read.fromPrevBlk, read.toNextBlk, read.imported, read.exported, read.feesCollected].map(({ grams }) => grams),
    [100n, 101n, 3n, 4n, 5n],
  )
  assert.deepEqual(
    [read.feesImported, read.recovered, read.created, read.minted].map(({ grams }) => grams),
    [6n, 0n, 1_700_000_000n, 2n ** 120n - 1n],
  )
  assert.deepEqual(read.toNextBlk.extra.entries(), [[239, 7n]])
})

test('with something burned, be it nothing, the second version is written', () => {
  for (const burned of [0n, 77n]) {
    const cell = writeWhole(writeValueFlow, { ...flow, burned: amount(burned) })
    assert.equal(toHex(cell.hash()), coreFlow(0x3ebf98b7, burned).endCell().hash().toString('hex'))
    assert.equal(openValueFlow(cell).burned?.grams, burned)
  }
})

test('another tag and leftover bits are refused', () => {
  assert.throws(
    () => openValueFlow(fromCoreCell(coreFlow(0x11ef55aa).endCell())),
    new CellError('A ValueFlow starts with #b8e48dfb or #3ebf98b7, #11ef55aa came.'),
  )
  assert.throws(() => openValueFlow(fromCoreCell(coreFlow(0xb8e48dfb, 0n).endCell())), CellError)
})
