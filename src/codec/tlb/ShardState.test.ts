import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell, loadShardStateUnsplit } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { AugDict, writeAugDict } from '../cell/AugDict.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { recordVisited } from '../cell/HashIndex.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { NO_EXTRA_CURRENCIES, ZERO_CURRENCY } from './CurrencyCollection.ts'
import { shardAccountsType } from './ShardAccounts.ts'
import {
  openShardState,
  openStateTotals,
  type ShardState,
  type ShardStateUnsplit,
  type StateTotals,
  writeShardState,
  writeStateTotals,
} from './ShardState.ts'
import { librariesType } from './StateInit.ts'

const hash = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)
const queue = new CellWriter().writeUintWide(0n, 67).toCell()
const noAccounts = new CellWriter()
writeAugDict(noAccounts, AugDict.of(shardAccountsType))
const accounts = noAccounts.toCell()

const totals: StateTotals = {
  overloadHistory: 0b1011n,
  underloadHistory: 2n ** 63n,
  totalBalance: { grams: 1_000n, extra: NO_EXTRA_CURRENCIES },
  totalValidatorFees: { grams: 3n, extra: NO_EXTRA_CURRENCIES },
  libraries: new Dict(librariesType),
  masterRef: { endLt: 9n, seqno: 8, rootHash: hash(1), fileHash: hash(2) },
}

const state: ShardStateUnsplit = {
  kind: 'unsplit',
  globalId: -777,
  shard: { workchain: 0, shard: 0x4000_0000_0000_0000n },
  isShardEndWritten: false,
  seqno: 23,
  vertSeqno: 1,
  genUtime: 1_794_711_839,
  genLt: 24_000_004n,
  minRefMcSeqno: 7,
  outMsgQueueInfo: queue,
  beforeSplit: true,
  accounts,
  totals: writeWhole(writeStateTotals, totals),
  custom: undefined,
}

/** The same state, put together by another library from the schema. */
const coreState = () => {
  const totals = beginCell()
    .storeUint(0b1011, 64)
    .storeUint(2n ** 63n, 64)
    .storeCoins(1_000)
    .storeBit(false)
  totals.storeCoins(3).storeBit(false).storeBit(false)
  totals
    .storeBit(true)
    .storeUint(9, 64)
    .storeUint(8, 32)
    .storeBuffer(Buffer.from(hash(1)))
    .storeBuffer(Buffer.from(hash(2)))
  const root = beginCell().storeUint(0x9023afe2, 32).storeInt(-777, 32)
  root.storeUint(0, 2).storeUint(1, 6).storeInt(0, 32).storeUint(0, 64)
  root.storeUint(23, 32).storeUint(1, 32).storeUint(1_794_711_839, 32).storeUint(24_000_004, 64).storeUint(7, 32)
  root.storeRef(toCoreCell(queue)).storeBit(true).storeRef(toCoreCell(accounts)).storeRef(totals.endCell())
  return root.storeBit(false).endCell()
}

test('a state is written as the schema says and read back', () => {
  const cell = writeWhole(writeShardState, state)
  assert.equal(toHex(cell.hash()), coreState().hash().toString('hex'))
  assert.deepEqual(toPlain(openShardState(cell)), toPlain(state))
  assert.deepEqual(toPlain(openStateTotals(state.totals)), toPlain(totals))
  const core = loadShardStateUnsplit(toCoreCell(cell).beginParse())
  assert.deepEqual(
    [core.globalId, core.seqno, core.vertSeqNo, core.genUtime, core.genLt, core.minRefMcSeqno, core.beforeSplit],
    [-777, 23, 1, 1_794_711_839, 24_000_004n, 7, true],
  )
})

test('reading a state enters nothing but its root, so that a proof need hold no more', () => {
  const custom = new CellWriter().writeUint(0xcc26, 16).toCell()
  const cell = writeWhole(writeShardState, { ...state, custom })
  const visited = recordVisited(() => {
    const read = openShardState(cell)
    assert(read.kind === 'unsplit' && read.custom?.equals(custom))
  })
  const entered = [0, 1, 2, 3].map((k) => visited.has(cell.ref(k)))
  assert.deepEqual(entered, [false, false, false, false])
})

test('the totals of a masterchain state refer to no masterchain block', () => {
  const own = { ...totals, totalBalance: ZERO_CURRENCY, masterRef: undefined }
  const cell = writeWhole(writeStateTotals, own)
  assert.equal(cell.bits, 64 + 64 + 5 + 4 + 8 + 1 + 1 + 1)
  assert.deepEqual(toPlain(openStateTotals(cell)), toPlain(own))
})

test('two states side by side are a split state', () => {
  const [left, right] = [4, 12].map((top) => {
    const shard = { workchain: 0, shard: BigInt(top) << 60n }
    return writeWhole(writeShardState, { ...state, shard })
  })
  const split: ShardState = { kind: 'split', left: left!, right: right! }
  const cell = writeWhole(writeShardState, split)
  const core = beginCell().storeUint(0x5f327da5, 32).storeRef(toCoreCell(left!)).storeRef(toCoreCell(right!)).endCell()
  assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
  assert.deepEqual(toPlain(openShardState(cell)), toPlain(split))
})

test('a zerostate may write the end of its shard out, which is kept', () => {
  const zerostate: ShardStateUnsplit = {
    ...state,
    shard: { workchain: 0, shard: wholeShard },
    isShardEndWritten: true,
    seqno: 0,
  }
  const cell = writeWhole(writeShardState, zerostate)
  const shardBits = toCoreCell(cell).beginParse().skip(64).loadBits(104).toString()
  assert.equal(shardBits, '00000000008000000000000000')
  assert.deepEqual(toPlain(openShardState(cell)), toPlain(zerostate))
  const usual = openShardState(writeWhole(writeShardState, { ...zerostate, isShardEndWritten: false }))
  assert(usual.kind === 'unsplit' && usual.shard.shard === wholeShard && !usual.isShardEndWritten)
  assert.throws(() => writeWhole(writeShardState, { ...state, isShardEndWritten: true }), CellError)
})

test('what is not a state is refused with our error', () => {
  const cases: [string, ReturnType<typeof coreState>, RegExp][] = [
    ['another tag', beginCell().storeUint(0x9023afe3, 32).endCell(), /#9023afe2 or #5f327da5, but got #9023afe3/],
    ['a bit too few', beginCell().storeUint(0, 31).endCell(), /32 more bits were expected/],
    ['one side only', beginCell().storeUint(0x5f327da5, 32).storeRef(coreState()).endCell(), /no more of them/],
    [
      'a bit too many',
      beginCell().storeSlice(coreState().beginParse()).storeBit(1).endCell(),
      /should fill its cell, but 1/,
    ],
  ]
  for (const [name, cell, message] of cases) {
    assert.throws(
      () => openShardState(fromCoreCell(cell)),
      (error) => error instanceof CellError && message.test(error.message),
      name,
    )
  }
})
