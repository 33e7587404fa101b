import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell } from '@ton/core'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { amount, filled } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import type { FutureSplitMerge } from './FutureSplitMerge.ts'
import { readShardDescr, type ShardDescr, writeShardDescr } from './ShardDescr.ts'

const descr: ShardDescr = {
  feesInRef: true,
  seqno: 97,
  regMcSeqno: 66,
  startLt: 99_000_000n,
  endLt: 99_000_001n,
  rootHash: filled(0xaa),
  fileHash: filled(0xbb),
  beforeSplit: false,
  beforeMerge: true,
  wantSplit: false,
  wantMerge: true,
  nxCcUpdated: false,
  nextCatchainSeqno: 1,
  nextValidatorShard: 0x4000_0000_0000_0000n,
  minRefMcSeqno: 0xffff_ffff,
  genUtime: 1_794_711_935,
  splitMergeAt: { kind: 'none' },
  feesCollected: amount(500_000_000n),
  fundsCreated: amount(250_000_000n),
}

const coreHead = (tag: number, flags = '01010', reserved = 0): Builder => {
  const b = beginCell().storeUint(tag, 4).storeUint(97, 32).storeUint(66, 32)
  b.storeUint(99_000_000, 64).storeUint(99_000_001, 64)
  b.storeBuffer(Buffer.alloc(32, 0xaa)).storeBuffer(Buffer.alloc(32, 0xbb))
  for (const flag of flags) b.storeBit(flag === '1')
  b.storeUint(reserved, 3).storeUint(1, 32).storeUint(0x4000_0000_0000_0000n, 64)
  return b.storeUint(0xffff_ffff, 32).storeUint(1_794_711_935, 32)
}
const coreAmounts = beginCell().storeCoins(500_000_000n).storeBit(0).storeCoins(250_000_000n).storeBit(0)

const read = (core: Builder): ShardDescr => readWhole(fromCoreCell(core.endCell()), readShardDescr, 'A ShardDescr')

const check = (value: ShardDescr, core: Builder): void => {
  assert.equal(toHex(writeWhole(writeShardDescr, value).hash()), core.endCell().hash().toString('hex'))
  assert.deepEqual(toPlain(read(core)), toPlain(value))
}

test('both layouts of a shard are those of the schema', () => {
  check(descr, coreHead(0xa).storeBit(0).storeRef(coreAmounts))
  check({ ...descr, feesInRef: false }, coreHead(0xb).storeBit(0).storeBuilder(coreAmounts))
})

test('each flag has its own bit', () => {
  const flags = ['beforeSplit', 'beforeMerge', 'wantSplit', 'wantMerge', 'nxCcUpdated'] as const
  const none: ShardDescr = { ...descr, beforeMerge: false, wantMerge: false }
  flags.forEach((flag, k) => {
    const core = coreHead(
      0xa,
      '0'
        .repeat(k)
        .padEnd(k + 1, '1')
        .padEnd(5, '0'),
    )
      .storeBit(0)
      .storeRef(coreAmounts)
    check({ ...none, [flag]: true }, core)
  })
})

test('a planned split or merge names its window', () => {
  const at = { utime: 1_794_711_956, interval: 20 }
  const core = (tag: number): Builder =>
    coreHead(0xa).storeUint(tag, 2).storeUint(at.utime, 32).storeUint(at.interval, 32).storeRef(coreAmounts)
  const plan = (kind: 'split' | 'merge'): FutureSplitMerge => ({ kind, ...at })
  check({ ...descr, splitMergeAt: plan('split') }, core(0b10))
  check({ ...descr, splitMergeAt: plan('merge') }, core(0b11))
})

test('other tags, reserved flags and leftovers are refused', () => {
  assert.throws(
    () => read(coreHead(0xc).storeBit(0).storeRef(coreAmounts)),
    new CellError('A ShardDescr starts with #a or #b, #c came.'),
  )
  assert.throws(() => read(coreHead(0xa, '00000', 1).storeBit(0).storeRef(coreAmounts)), CellError)
  const longer = beginCell().storeBuilder(coreAmounts).storeBit(0)
  assert.throws(() => read(coreHead(0xa).storeBit(0).storeRef(longer)), CellError)
  assert.throws(() => read(coreHead(0xb).storeBit(0).storeBuilder(longer)), CellError)
})

test('amounts that do not fit beside the rest of the old layout are an error, not cut', () => {
  const large: ShardDescr = { ...descr, feesCollected: amount(2n ** 120n - 1n), fundsCreated: amount(2n ** 120n - 1n) }
  assert.deepEqual(
    toPlain(readWhole(writeWhole(writeShardDescr, large), readShardDescr, 'A ShardDescr')),
    toPlain(large),
  )
  assert.throws(() => writeWhole(writeShardDescr, { ...large, feesInRef: false }), CellError)
})
