import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { AugDict } from '../cell/AugDict.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { NO_EXTRA_CURRENCIES } from './CurrencyCollection.ts'
import { configDictType } from './config/configParams.ts'
import {
  augmentedCreatorStatsType,
  type CreatorStats,
  creatorStatsType,
  type McStateExtra,
  type McStateHistory,
  oldMcBlocksType,
  openMcStateExtra,
  openMcStateHistory,
  writeMcStateExtra,
  writeMcStateHistory,
} from './McStateExtra.ts'
import { shardHashesType } from './ShardHashes.ts'

const hash = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)
const param = new CellWriter().writeBytes(hash(0x55)).toCell()

const first: McStateHistory = {
  validatorInfo: { validatorListHashShort: 0xdeadbeef, catchainSeqno: 4, nxCcUpdated: true },
  prevBlocks: AugDict.of(oldMcBlocksType),
  afterKeyBlock: true,
  lastKeyBlock: undefined,
  blockCreateStats: undefined,
}

const zerostate: McStateExtra = {
  shardHashes: new Dict(shardHashesType),
  config: { configAddr: hash(0x55), config: Dict.of(configDictType, [[0, param]]) },
  history: writeWhole(writeMcStateHistory, first),
  globalBalance: { grams: 5_000_000n, extra: NO_EXTRA_CURRENCIES },
}

const block = (seqno: number, endLt: bigint) => ({ endLt, seqno, rootHash: hash(seqno), fileHash: hash(seqno + 100) })
const creator = (lastUpdated: number): CreatorStats => ({
  masterchain: { lastUpdated, total: 5n, recent2048: 2n ** 64n - 1n, recent65536: 7n },
  shards: { lastUpdated: 3, total: 1n, recent2048: 0n, recent65536: 9n },
})

const later: McStateHistory = {
  ...first,
  prevBlocks: AugDict.of(oldMcBlocksType, [
    [2, { isKey: false, block: block(2, 2_000_012n) }],
    [0, { isKey: true, block: block(0, 0n) }],
    [1, { isKey: false, block: block(1, 1_000_012n) }],
  ]),
  afterKeyBlock: false,
  lastKeyBlock: block(0, 0n),
  blockCreateStats: {
    kind: 'plain',
    creators: Dict.of(creatorStatsType, [
      [hash(0), creator(10)],
      [hash(0xaa), creator(11)],
    ]),
  },
}

/** As the schema says, by another library; the last reference is the cell that `flags` starts. */
const coreZerostate = (flags: number) => {
  const history = beginCell().storeUint(flags, 16).storeUint(0xdeadbeef, 32).storeUint(4, 32).storeBit(true)
  history.storeUint(0, 66).storeBit(true).storeBit(false)
  const dict = beginCell().storeUint(0b110, 3).storeUint(32, 6).storeRef(toCoreCell(param)).endCell()
  return beginCell()
    .storeUint(0xcc26, 16)
    .storeBit(false)
    .storeBuffer(Buffer.from(hash(0x55)))
    .storeRef(dict)
    .storeRef(history.endCell())
    .storeCoins(5_000_000)
    .storeBit(false)
    .endCell()
}

test('the extra of a zerostate is written as the schema says and read back', () => {
  const cell = writeWhole(writeMcStateExtra, zerostate)
  assert.equal(toHex(cell.hash()), coreZerostate(0).hash().toString('hex'))
  assert.deepEqual(toPlain(openMcStateExtra(cell)), toPlain(zerostate))
  assert.deepEqual(toPlain(openMcStateHistory(zerostate.history)), toPlain(first))
})

test('a later one carries its blocks, the last key block and who made how many blocks', () => {
  const read = openMcStateHistory(writeWhole(writeMcStateHistory, later))
  assert.deepEqual(toPlain(read), toPlain(later))
  assert.deepEqual(read.prevBlocks.rootExtra, { hasKey: true, maxEndLt: 2_000_012n })
  assert.deepEqual(read.prevBlocks.findLeaf(1)?.extra, { hasKey: false, maxEndLt: 1_000_012n })
  assert.equal(read.prevBlocks.find(3), undefined)
})

test('block counts in the augmented form are read and written too', () => {
  const creators = AugDict.of(augmentedCreatorStatsType, [
    [hash(1), creator(20)],
    [hash(2), creator(30)],
  ])
  assert.equal(creators.rootExtra, 30)
  const history: McStateHistory = { ...later, blockCreateStats: { kind: 'augmented', creators } }
  const cell = writeWhole(writeMcStateHistory, history)
  assert.deepEqual(toPlain(openMcStateHistory(cell)), toPlain(history))
})

test('flags that are not known, and counts of an unknown kind, are refused', () => {
  assert.throws(() => openMcStateHistory(fromCoreCell(coreZerostate(2).refs[1]!)), {
    name: 'CellError',
    message: 'The flags of a McStateExtra are 0 or 1, but got 2.',
  })
  assert.throws(() => openMcStateHistory(fromCoreCell(coreZerostate(1).refs[1]!)), CellError)
  const stats = beginCell()
    .storeUint(1, 16)
    .storeUint(0, 65)
    .storeUint(0, 66)
    .storeBit(true)
    .storeBit(false)
    .storeUint(0x18, 8)
  assert.throws(
    () => openMcStateHistory(fromCoreCell(stats.endCell())),
    /A BlockCreateStats starts with #17 or #34, but got #18/,
  )
})
