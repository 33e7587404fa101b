import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell, loadShardIdent } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { readShardIdent, shardIdentKey, writeShardIdent } from './ShardIdent.ts'

const cases = [
  { workchain: -1, shard: 0x8000_0000_0000_0000n, bits: 0, prefix: 0n },
  { workchain: 0, shard: 0x4000_0000_0000_0000n, bits: 1, prefix: 0n },
  { workchain: 0, shard: 0xc000_0000_0000_0000n, bits: 1, prefix: 0x8000_0000_0000_0000n },
  { workchain: 7, shard: 0x1234_5678_9abc_def8n, bits: 60, prefix: 0x1234_5678_9abc_def0n },
]

test('a shard is written without its terminating 1 and read with it', () => {
  for (const { workchain, shard, bits, prefix } of cases) {
    const cell = writeWhole(writeShardIdent, { workchain, shard })
    const core = loadShardIdent(toCoreCell(cell).beginParse())
    assert.deepEqual(core, { shardPrefixBits: bits, workchainId: workchain, shardPrefix: prefix })
    assert.deepEqual(readWhole(cell, readShardIdent, 'A ShardIdent'), { workchain, shard })
  }
})

test('a prefix that is too long, or has bits behind its length, is no shard', () => {
  const read = (tag: number, bits: number, prefix: bigint) => {
    const cell = beginCell().storeUint(tag, 2).storeUint(bits, 6).storeInt(0, 32).storeUint(prefix, 64).endCell()
    return readWhole(fromCoreCell(cell), readShardIdent, 'A ShardIdent')
  }
  assert.deepEqual(read(0, 60, 0x10n), { workchain: 0, shard: 0x18n })
  assert.throws(
    () => read(0, 61, 0x10n),
    new CellError('A shard prefix has at most 60 bits and zeros behind them, length 61 of 0000000000000010 came.'),
  )
  assert.throws(() => read(0, 1, 0x4000_0000_0000_0000n), CellError)
  assert.throws(() => read(0, 0, 0x8000_0000_0000_0000n), CellError)
  assert.throws(() => read(1, 0, 0n), CellError)
})

test('what is no shard is not written', () => {
  for (const shard of [0n, 4n, -1n, 1n << 64n]) {
    assert.throws(() => writeWhole(writeShardIdent, { workchain: 0, shard }), CellError)
  }
  assert.throws(() => writeWhole(writeShardIdent, { workchain: 2 ** 31, shard: 8n }), CellError)
})

test('as a key a shard is its workchain and all of its 64 bits', () => {
  const key = shardIdentKey.encode({ workchain: -1, shard: 0xc000_0000_0000_0000n })
  assert.equal(toHex(key), 'ffffffffc000000000000000')
  assert.deepEqual(shardIdentKey.decode(key), { workchain: -1, shard: 0xc000_0000_0000_0000n })
  assert.throws(() => shardIdentKey.encode({ workchain: 2 ** 31, shard: 8n }), CellError)
  assert.throws(() => shardIdentKey.encode({ workchain: 0, shard: 1n << 64n }), CellError)
})
