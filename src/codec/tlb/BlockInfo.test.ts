import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell, loadShardIdent } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from '../cell/Cell.ts'
import { CellError, PrunedBranchError } from '../cell/errors.ts'
import { pruneCell, unwrapMerkleProof, withChildren, wrapMerkleProof } from '../cell/merkle.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import {
  type BlockInfo,
  type ExtBlkRef,
  openBlockInfo,
  openPrevRef,
  prevRefCell,
  readBlockIdExt,
  readExtBlkRef,
  readGlobalVersion,
  readShardIdent,
  shardIdentKey,
  writeBlockIdExt,
  writeBlockInfo,
  writeExtBlkRef,
  writeGlobalVersion,
  writeShardIdent,
} from './BlockInfo.ts'

const ref = (seqno: number): ExtBlkRef => ({
  endLt: BigInt(seqno) * 1_000_000n,
  seqno,
  rootHash: filled(seqno),
  fileHash: filled(seqno + 100),
})

const coreRef = (seqno: number): Builder =>
  beginCell()
    .storeUint(seqno * 1_000_000, 64)
    .storeUint(seqno, 32)
    .storeBuffer(Buffer.from(filled(seqno)))
    .storeBuffer(Buffer.from(filled(seqno + 100)))

type Parts = { readonly version?: number; readonly bits: string; readonly flags: number; readonly prefix?: string }

/** The fields up to prev_key_block_seqno, laid out here a second time. */
const coreHead = ({ version = 0, bits, flags, prefix = '' }: Parts): Builder => {
  const b = beginCell().storeUint(0x9bc7a987, 32).storeUint(version, 32)
  for (const bit of bits.replaceAll(' ', '')) b.storeBit(bit === '1')
  b.storeUint(flags, 8).storeUint(8, 32).storeUint(1, 32)
  b.storeUint(0, 2)
    .storeUint(prefix.length, 6)
    .storeInt(prefix === '' ? -1 : 0, 32)
  b.storeUint(BigInt(`0b${prefix.padEnd(64, '0')}`), 64)
  b.storeUint(1_700_000_001, 32).storeUint(8_000_000, 64).storeUint(8_000_009, 64)
  return b.storeUint(0xfedcba98, 32).storeUint(12, 32).storeUint(6, 32).storeUint(5, 32)
}

const master: BlockInfo = {
  version: 0,
  afterMerge: false,
  beforeSplit: false,
  afterSplit: false,
  wantSplit: false,
  wantMerge: true,
  keyBlock: true,
  seqno: 8,
  vertSeqno: 1,
  workchain: -1,
  shard: 0x8000_0000_0000_0000n,
  genUtime: 1_700_000_001,
  startLt: 8_000_000n,
  endLt: 8_000_009n,
  genValidatorListHashShort: 0xfedcba98,
  genCatchainSeqno: 12,
  minRefMcSeqno: 6,
  prevKeyBlockSeqno: 5,
  genSoftware: undefined,
  masterRef: undefined,
  prevRef: prevRefCell([ref(7)]),
  prevVertRef: undefined,
}
const software = { version: 13, capabilities: 1006n }
const merged: BlockInfo = {
  ...master,
  afterMerge: true,
  wantMerge: false,
  keyBlock: false,
  workchain: 0,
  shard: 0xa000_0000_0000_0000n,
  genSoftware: software,
  masterRef: ref(6),
  prevRef: prevRefCell([ref(7), ref(5)]),
}
const hardfork: BlockInfo = { ...master, genSoftware: software, prevVertRef: ref(9) }

const coreSoftware = beginCell().storeUint(0xc4, 8).storeUint(13, 32).storeUint(1006, 64)

const check = (info: BlockInfo, core: Builder): void => {
  const cell = writeWhole(writeBlockInfo, info)
  assert.equal(toHex(cell.hash()), core.endCell().hash().toString('hex'))
  const { prevRef, ...rest } = openBlockInfo(cell)
  const { prevRef: expected, ...expectedRest } = info
  assert.deepEqual(rest, expectedRest)
  assert.ok(prevRef.equals(expected))
}

test('headers of every shape are laid out as in the schema', () => {
  check(master, coreHead({ bits: '0000 0110', flags: 0 }).storeRef(coreRef(7)))
  const both = beginCell().storeRef(coreRef(7)).storeRef(coreRef(5))
  const mergedHead = coreHead({ bits: '1100 0000', flags: 1, prefix: '10' }).storeBuilder(coreSoftware)
  check(merged, mergedHead.storeRef(coreRef(6)).storeRef(both))
  const hardforkHead = coreHead({ bits: '0000 0111', flags: 1 }).storeBuilder(coreSoftware)
  check(hardfork, hardforkHead.storeRef(coreRef(7)).storeRef(coreRef(9)))
})

test('each flag has its own bit', () => {
  const flags = ['afterMerge', 'beforeSplit', 'afterSplit', 'wantSplit', 'wantMerge', 'keyBlock'] as const
  const none: BlockInfo = { ...master, wantMerge: false, keyBlock: false }
  flags.forEach((flag, k) => {
    const bits = '0'
      .repeat(k + 1)
      .padEnd(k + 2, '1')
      .padEnd(8, '0')
    const core = coreHead({ bits, flags: 0 }).storeRef(coreRef(7)).endCell()
    assert.equal(toHex(writeWhole(writeBlockInfo, { ...none, [flag]: true }).hash()), core.hash().toString('hex'), flag)
  })
})

test('the previous blocks are one, or after a merge two', () => {
  assert.deepEqual(openPrevRef(master), [ref(7)])
  assert.deepEqual(openPrevRef(merged), [ref(7), ref(5)])
  assert.throws(() => openPrevRef({ ...master, afterMerge: true }), CellError)
  assert.throws(() => openPrevRef({ ...merged, afterMerge: false }), CellError)
})

test('a version, flags or content that nobody knows are refused', () => {
  const open = (core: Builder): BlockInfo => openBlockInfo(fromCoreCell(core.endCell()))
  const bits = '0000 0000'
  assert.throws(
    () => open(coreHead({ version: 1, bits, flags: 0 }).storeRef(coreRef(7))),
    new CellError('Expected a block header of version 0, but got version 1.'),
  )
  assert.throws(
    () => open(coreHead({ bits, flags: 2 }).storeRef(coreRef(7))),
    new CellError('The flags of a block header are 0 or 1, but got 2.'),
  )
  assert.throws(() => open(coreHead({ bits, flags: 0 })), CellError)
  assert.throws(() => open(coreHead({ bits, flags: 0 }).storeRef(coreRef(7)).storeBit(1)), CellError)
  assert.throws(() => open(coreHead({ bits, flags: 0 }).storeRef(coreRef(7)).storeRef(coreRef(6))), CellError)
  assert.throws(() => open(coreHead({ bits: '1000 0000', flags: 0 }).storeRef(coreRef(6))), CellError)
})

test('a header whose previous blocks are pruned, as in the proof of a state after a merge, can be read', () => {
  const whole = writeWhole(writeBlockInfo, merged)
  const children: Cell[] = [whole.ref(0), pruneCell(whole.ref(1), 0)]
  const inner = unwrapMerkleProof(wrapMerkleProof(withChildren(whole, children)), whole.hash())
  const info = openBlockInfo(inner)
  assert.deepEqual([info.seqno, info.endLt, info.masterRef], [8, 8_000_009n, ref(6)])
  assert.throws(() => openPrevRef(info), PrunedBranchError)
})

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
    new CellError('A shard prefix has at most 60 bits and zeros behind them, but got length 61 of 0000000000000010.'),
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

const rootHash = filled(0xaa)
const fileHash = filled(0xbb)
const coreHashes = beginCell().storeBuffer(Buffer.from(rootHash)).storeBuffer(Buffer.from(fileHash))

test('a full block id is laid out as in the schema', () => {
  const id = { workchain: 0, shard: 0xc000_0000_0000_0000n, seqno: 0xffff_fffe, rootHash, fileHash }
  const cell = writeWhole(writeBlockIdExt, id)
  const shard = beginCell().storeUint(0, 2).storeUint(1, 6).storeInt(0, 32).storeUint(1, 1).storeUint(0, 63)
  const core = beginCell().storeBuilder(shard).storeUint(0xffff_fffe, 32).storeBuilder(coreHashes).endCell()
  assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
  assert.deepEqual(readWhole(cell, readBlockIdExt, 'A BlockIdExt'), id)
})

test('a reference to a block is laid out as in the schema', () => {
  const ref = { endLt: 2n ** 64n - 1n, seqno: 3, rootHash, fileHash }
  const cell = writeWhole(writeExtBlkRef, ref)
  const core = beginCell().storeUint(ref.endLt, 64).storeUint(3, 32).storeBuilder(coreHashes).endCell()
  assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
  assert.deepEqual(readWhole(cell, readExtBlkRef, 'An ExtBlkRef'), ref)
})

test('a global version is laid out as in the schema', () => {
  const version = { version: 13, capabilities: 1006n }
  const cell = writeWhole(writeGlobalVersion, version)
  const core = beginCell().storeUint(0xc4, 8).storeUint(13, 32).storeUint(1006, 64).endCell()
  assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
  assert.deepEqual(readWhole(cell, readGlobalVersion, 'A GlobalVersion'), version)
})
