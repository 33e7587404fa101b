import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cell as CoreCell, parseTuple, serializeTuple, type TupleItem } from '@ton/core'
import fc from 'fast-check'
import { toCoreCell } from '../../../test/support/coreCell.ts'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { arbitraryPlainVmStack, arbitraryVmStack, arbitraryVmValue, plainVm } from '../../../test/support/vmValues.ts'
import { toHex } from '../../primitives/hex.ts'
import { sliceToCell } from '../cell/CellWriter.ts'
import { encodeBoc } from '../cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import {
  decodeVmStack,
  encodeVmStack,
  readVmStack,
  readVmStackValue,
  type VmStack,
  writeVmStack,
  writeVmStackValue,
} from './VmStack.ts'
import type { VmValue } from './VmValue.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

test('reading what was written gives it back, continuations and all', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryVmStack, ({ it: stack }) => {
      const cell = writeWhole(writeVmStack, stack)
      const again = readWhole(cell, readVmStack, 'A stack')
      assert.deepEqual(plainVm(again), plainVm(stack))
      assert.equal(toHex(writeWhole(writeVmStack, again).hash()), toHex(cell.hash()))
      assert.deepEqual(plainVm(decodeVmStack(encodeVmStack(stack))), plainVm(stack))
    }),
    { seed, numRuns: 600 },
  )
})

test('a value by itself is read as it was written', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryVmValue, ({ it: value }) => {
      const again = readWhole(writeWhole(writeVmStackValue, value), readVmStackValue, 'A value')
      assert.deepEqual(plainVm(again), plainVm(value))
    }),
    { seed, numRuns: 300 },
  )
})

/** As `@ton/core` has it, where a slice is always all of a cell. */
const toCore = (value: VmValue): TupleItem => {
  switch (value.kind) {
    case 'null':
    case 'nan':
      return { type: value.kind }
    case 'int':
      return { type: 'int', value: value.value }
    case 'cell':
    case 'builder':
      return { type: value.kind, cell: toCoreCell(value.cell) }
    case 'slice':
      return { type: 'slice', cell: toCoreCell(sliceToCell(value.slice)) }
    case 'tuple':
      return { type: 'tuple', items: value.items.map(toCore) }
    case 'continuation':
      throw new Error('@ton/core knows no continuations')
  }
}

const plainCore = (items: readonly TupleItem[]): unknown =>
  items.map((item) => {
    if (item.type === 'tuple') return { ...item, items: plainCore(item.items) }
    return 'cell' in item ? { ...item, cell: item.cell.hash().toString('hex') } : item
  })

/** The stack with every slice repacked as a whole cell. */
const repackSlices = (stack: VmStack): VmValue[] =>
  stack.map((value) => {
    if (value.kind === 'tuple') return { kind: 'tuple', items: repackSlices(value.items) }
    if (value.kind !== 'slice') return value
    const { arena, index, bits, refCount } = sliceToCell(value.slice)
    return { kind: 'slice', slice: { arena, index, bitStart: 0, bitEnd: bits, refStart: 0, refEnd: refCount } }
  })

test('stacks agree with @ton/core both ways', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryPlainVmStack, ({ it: stack }) => {
      const ours = writeWhole(writeVmStack, stack)
      const theirs = parseTuple(CoreCell.fromBoc(Buffer.from(encodeBoc([ours])))[0]!)
      assert.deepEqual(plainCore(theirs), plainCore(stack.map(toCore)))
      const repacked = writeWhole(writeVmStack, repackSlices(stack))
      assert.equal(toHex(repacked.hash()), serializeTuple(stack.map(toCore)).hash().toString('hex'))
    }),
    { seed, numRuns: 500 },
  )
})

test('a spoilt stack is read or refused by one of our errors, and what is read can be written', (t) => {
  t.diagnostic(`seed ${seed}`)
  let passed = 0
  let refused = 0
  const mutant = arbitraryVmStack.chain(({ it }) => arbitraryMutant(writeWhole(writeVmStack, it)))
  fc.assert(
    fc.property(mutant, ({ cell }) => {
      let stack: VmStack | undefined
      const isRead = passesOrFailsCoded(() => {
        stack = readWhole(cell, readVmStack, 'A stack')
      })
      if (isRead) passed++
      else refused++
      if (stack !== undefined) assert.deepEqual(plainVm(decodeVmStack(encodeVmStack(stack))), plainVm(stack))
    }),
    { seed, numRuns: 1500 },
  )
  t.diagnostic(`${passed} read, ${refused} refused`)
  assert.ok(passed > 100 && refused > 100)
})

test('cut and damaged bytes of a stack are refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  const damage = fc.tuple(arbitraryVmStack, fc.nat(), fc.nat(255))
  fc.assert(
    fc.property(damage, ([{ it: stack }, place, byte]) => {
      const bytes = encodeVmStack(stack)
      const at = place % bytes.length
      assert.equal(at === 0 || passesOrFailsCoded(() => decodeVmStack(bytes.subarray(0, at))), at === 0)
      const changed = bytes.slice()
      changed[at] = byte
      passesOrFailsCoded(() => decodeVmStack(changed))
    }),
    { seed, numRuns: 800 },
  )
})
