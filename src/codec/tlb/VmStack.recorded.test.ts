import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveFixtures, listFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { sliceToCell } from '../cell/CellWriter.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { encodeBoc } from '../cell/encodeBoc.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { decodeLiteAnswer } from '../tl/liteQuery.ts'
import {
  decodeVmStack,
  encodeVmStack,
  readVmStack,
  readVmStackValue,
  type VmStack,
  writeVmStack,
  writeVmStackValue,
} from './VmStack.ts'
import { REQUEST_VM_STACK_LIMITS, type VmValue } from './VmValue.ts'

/** As the recorded values are written down. */
const describe = (value: VmValue): unknown => {
  switch (value.kind) {
    case 'int':
      return { type: 'int', value: String(value.value) }
    case 'cell': {
      const { cell } = value
      return { type: 'cell', hash: toHex(cell.hash()), bits: cell.bits, refs: cell.refCount }
    }
    case 'slice': {
      const cell = sliceToCell(value.slice)
      return { type: 'slice', hash: toHex(cell.hash()), bits: cell.bits, refs: cell.refCount }
    }
    case 'tuple':
      return { type: 'tuple', items: value.items.map(describe) }
    default:
      return { type: value.kind }
  }
}

type RecordedValue = { readonly type: string; readonly address?: string; readonly items?: readonly RecordedValue[] }
type RecordedStack = { readonly boc: string; readonly stack: readonly RecordedValue[] }

const withoutAddresses = ({ address: _, items, ...rest }: RecordedValue): unknown =>
  items === undefined ? rest : { ...rest, items: items.map(withoutAddresses) }

/** Bodies of messages that begin like a stack; a lax parser takes them for one and passes over the rest. */
const notStacks = ['3aff09fbbf5f', '85d36c31df0e', 'daa231b0273c']

test('recorded stacks of the main network are read as noted and written to the same hash', (t) => {
  if (!haveFixtures(t, 'mainnet/metadata/stack')) return
  let read = 0
  for (const path of listFixtures('mainnet/metadata/stack', '.json')) {
    const { boc, stack } = readFixtureJson<RecordedStack>(path)
    const cell = decodeSingleBoc(fromBase64(boc))
    if (notStacks.some((name) => path.includes(name))) {
      assert.throws(() => readWhole(cell, readVmStack, 'A stack'), CellError, path)
      continue
    }
    const ours: VmStack = readWhole(cell, readVmStack, 'A stack')
    assert.deepEqual(ours.map(describe), stack.map(withoutAddresses), path)
    assert.equal(toHex(writeWhole(writeVmStack, ours).hash()), toHex(cell.hash()), path)
    read++
  }
  t.diagnostic(`${read} stacks`)
  assert.ok(read >= 39)
})

type RecordedCall = { readonly request: { readonly params: string }; readonly response_tl_hex: string }

test('arguments and results of recorded get-methods are written to the same bytes', (t) => {
  let values = 0
  let registers = 0
  for (const path of listFixtures('localnet/liteserver', '.json').filter((name) => name.includes('runSmcMethod'))) {
    const call = readFixtureJson<RecordedCall>(path)
    const params = fromHex(call.request.params)
    assert.equal(toHex(encodeVmStack(decodeVmStack(params, REQUEST_VM_STACK_LIMITS))), call.request.params, path)
    const answer = decodeLiteAnswer('liteServer.runSmcMethod', fromHex(call.response_tl_hex))
    assert.ok(answer.ok, path)
    const { result, initC7 } = answer.result
    if (result !== undefined && result.length > 0) {
      const stack = decodeVmStack(result)
      assert.equal(toHex(encodeVmStack(stack)), toHex(result), path)
      values += stack.length
    }
    if (initC7 !== undefined) {
      const c7 = readWhole(decodeSingleBoc(initC7), readVmStackValue, 'The register c7')
      const context = c7.kind === 'tuple' ? c7.items[0] : undefined
      assert.ok(context?.kind === 'tuple' && context.items.length === 10, path)
      assert.deepEqual(context.items[0], { kind: 'int', value: 0x076ef1ean }, path)
      assert.equal(toHex(encodeBoc([writeWhole(writeVmStackValue, c7)])), toHex(initC7), path)
      registers++
    }
  }
  t.diagnostic(`${values} values in results, ${registers} registers`)
  assert.ok(values >= 28 && registers >= 1)
})
