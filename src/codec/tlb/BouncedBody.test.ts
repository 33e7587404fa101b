import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import fc from 'fast-check'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { plainVm } from '../../../test/support/vmValues.ts'
import { toHex } from '../../primitives/hex.ts'
import { wholeSlice } from '../cell/Cell.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { Dict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { type BouncedBody, readBouncedBody, writeBouncedBody } from './BouncedBody.ts'
import { extraCurrenciesType, NO_EXTRA_CURRENCIES } from './CurrencyCollection.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const body = new CellWriter().writeUint(0x0f8a7ea5, 32).writeRef(emptyCell).toCell()
const detailed: BouncedBody = {
  kind: 'detailed',
  originalBody: body,
  originalInfo: {
    value: { grams: 5n * 10n ** 7n, extra: NO_EXTRA_CURRENCIES },
    createdLt: 77n,
    createdAt: 1_700_000_000,
  },
  phase: 'compute',
  exitCode: -14,
  compute: { gasUsed: 4_000_000_000, vmSteps: 12 },
}

test('a plain bounced body is ffffffff and the first bits of the original', () => {
  const start = new CellWriter().writeUint(0x0f8a7ea5, 32).writeUint(1, 3).toCell()
  const bounced: BouncedBody = { kind: 'plain', bodyStart: wholeSlice(start) }
  const cell = writeWhole(writeBouncedBody, bounced)
  const expected = beginCell().storeUint(0xffffffff, 32).storeUint(0x0f8a7ea5, 32).storeUint(1, 3)
  assert.equal(toHex(cell.hash()), expected.endCell().hash().toString('hex'))
  const again = readWhole(cell, readBouncedBody, 'A body')
  assert.ok(again.kind === 'plain')
  assert.equal(again.bodyStart.bitEnd - again.bodyStart.bitStart, 35)
  assert.equal(toHex(writeWhole(writeBouncedBody, again).hash()), toHex(cell.hash()))
})

test('a plain bounced body keeps at most 256 bits, and no reference', () => {
  const bits = (count: number) => new CellWriter().writeBits(new Uint8Array(40), count)
  const longest: BouncedBody = { kind: 'plain', bodyStart: wholeSlice(bits(256).toCell()) }
  assert.equal(writeWhole(writeBouncedBody, longest).bits, 288)
  for (const start of [bits(257), bits(10).writeRef(emptyCell)]) {
    const bodyStart = wholeSlice(start.toCell())
    assert.throws(() => writeWhole(writeBouncedBody, { kind: 'plain', bodyStart }), CellError)
    const cell = new CellWriter().writeUint(0xffffffff, 32).writeSlice(bodyStart).toCell()
    assert.throws(() => readWhole(cell, readBouncedBody, 'A body'), /keeps at most 256 bits and no references/)
  }
})

test('blocks without the capability return an empty body', () => {
  assert.deepEqual(readWhole(emptyCell, readBouncedBody, 'A body'), { kind: 'empty' })
  assert.equal(writeWhole(writeBouncedBody, { kind: 'empty' }).bits, 0)
})

test('a detailed bounced body, field by field', () => {
  const info = beginCell()
    .storeCoins(5n * 10n ** 7n)
    .storeBit(false)
    .storeUint(77, 64)
    .storeUint(1_700_000_000, 32)
  const head = beginCell().storeUint(0xfffffffe, 32).storeRef(toCoreCell(body)).storeRef(info)
  const expected = head.storeUint(1, 8).storeInt(-14, 32).storeBit(true).storeUint(4_000_000_000, 32).storeUint(12, 32)
  const cell = writeWhole(writeBouncedBody, detailed)
  assert.equal(toHex(cell.hash()), expected.endCell().hash().toString('hex'))
  assert.deepEqual(plainVm(readWhole(cell, readBouncedBody, 'A body')), plainVm(detailed))
  const skipped: BouncedBody = { ...detailed, phase: 'skipped', exitCode: -4, compute: undefined }
  const again = readWhole(writeWhole(writeBouncedBody, skipped), readBouncedBody, 'A body')
  assert.deepEqual(plainVm(again), plainVm(skipped))
})

test('unknown tags and phases are refused', () => {
  const other = new CellWriter().writeUint(0xfffffffd, 32).toCell()
  assert.throws(() => readWhole(other, readBouncedBody, 'A body'), /ffffffff or fffffffe, fffffffd came/)
  const cell = toCoreCell(writeWhole(writeBouncedBody, detailed))
  const [, original, info] = [cell, cell.refs[0]!, cell.refs[1]!]
  const wrong = beginCell().storeUint(0xfffffffe, 32).storeRef(original).storeRef(info).storeUint(3, 8).storeUint(0, 33)
  assert.throws(() => readBouncedBody(openCell(fromCoreCell(wrong.endCell()))), /phase 0 to 2, 3 came/)
})

test('generated bounced bodies come back, and spoilt ones are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  const uint32 = fc.nat(0xffffffff)
  const arbitrary: fc.Arbitrary<BouncedBody> = fc
    .tuple(
      fc.bigInt({ min: 0n, max: (1n << 120n) - 1n }),
      fc.option(fc.nat(0xffffffff)),
      fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      uint32,
      fc.constantFrom('skipped' as const, 'compute' as const, 'action' as const),
      fc.integer(),
      fc.option(fc.tuple(uint32, uint32), { nil: undefined }),
    )
    .map(([grams, currency, createdLt, createdAt, phase, exitCode, steps]) => {
      const extra = currency === null ? NO_EXTRA_CURRENCIES : Dict.of(extraCurrenciesType, [[currency, 5n]])
      const originalInfo = { value: { grams, extra }, createdLt, createdAt }
      const compute = steps === undefined ? undefined : { gasUsed: steps[0], vmSteps: steps[1] }
      return { kind: 'detailed', originalBody: body, originalInfo, phase, exitCode, compute }
    })
  fc.assert(
    fc.property(arbitrary, (bounced) => {
      const again = readWhole(writeWhole(writeBouncedBody, bounced), readBouncedBody, 'A body')
      assert.deepEqual(plainVm(again), plainVm(bounced))
    }),
    { seed, numRuns: 300 },
  )
  fc.assert(
    fc.property(arbitraryMutant(writeWhole(writeBouncedBody, detailed)), ({ cell }) => {
      passesOrFailsCoded(() => readWhole(cell, readBouncedBody, 'A body'))
    }),
    { seed, numRuns: 500 },
  )
})
