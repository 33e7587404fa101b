import { AugDict, writeAugDict } from '../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { buildMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { writeBlock, writeBlockExtra, writeValueFlow } from '../../src/codec/tlb/Block.ts'
import { type BlockInfo, type ExtBlkRef, prevRefCell, writeBlockInfo } from '../../src/codec/tlb/BlockInfo.ts'
import { cryptoSignaturePairsType } from '../../src/codec/tlb/BlockSignatures.ts'
import { configDictType } from '../../src/codec/tlb/config/configParams.ts'
import { type InMsg, inMsgDescrType, writeInMsg } from '../../src/codec/tlb/InMsgDescr.ts'
import { shardFeesType, writeMcBlockExtra } from '../../src/codec/tlb/McBlockExtra.ts'
import { type OutMsg, outMsgDescrType } from '../../src/codec/tlb/OutMsgDescr.ts'
import { buildShardHashes, type ShardDescr } from '../../src/codec/tlb/ShardHashes.ts'
import { accountBlocksType } from '../../src/codec/tlb/Transaction.ts'
import { address, amount, envelopeCell, externalMessage, filled, internalMessage, marker } from './sampleMessages.ts'

const ref = (seqno: number): ExtBlkRef => ({
  endLt: BigInt(seqno) * 1_000_000n,
  seqno,
  rootHash: filled(seqno),
  fileHash: filled(seqno + 1),
})

const info: BlockInfo = {
  version: 0,
  afterMerge: false,
  beforeSplit: false,
  afterSplit: false,
  wantSplit: false,
  wantMerge: true,
  keyBlock: true,
  seqno: 8,
  vertSeqno: 0,
  workchain: -1,
  shard: 0x8000_0000_0000_0000n,
  genUtime: 1_700_000_001,
  startLt: 8_000_000n,
  endLt: 8_000_009n,
  genValidatorListHashShort: 0xfedcba98,
  genCatchainSeqno: 12,
  minRefMcSeqno: 6,
  prevKeyBlockSeqno: 5,
  genSoftware: { version: 13, capabilities: 1006n },
  masterRef: undefined,
  prevRef: prevRefCell([ref(7)]),
  prevVertRef: undefined,
}

const metadata = { depth: 1, initiatorAddr: address(0, 3), initiatorLt: 5n }
const messages = [0n, 1n, 2n, 3n, 4n].map((k) => internalMessage({ value: amount(100n + k), createdLt: k }))
const envelopes = messages.map((msg, k) =>
  k < 3
    ? envelopeCell(msg, { fwdFeeRemaining: 10n })
    : envelopeCell(msg, { fwdFeeRemaining: 10n, version: 2, emittedLt: 7_000_000n, metadata }),
)

const inMsgs: readonly InMsg[] = [
  { kind: 'external', msg: externalMessage(), transaction: marker(1) },
  { kind: 'immediate', inMsg: envelopes[0]!, transaction: marker(2), fwdFee: 10n },
  { kind: 'final', inMsg: envelopes[1]!, transaction: marker(3), fwdFee: 10n },
  { kind: 'deferredFinal', inMsg: envelopes[3]!, transaction: marker(4), fwdFee: 10n },
  { kind: 'deferredTransit', inMsg: envelopes[4]!, outMsg: envelopes[4]! },
]
const inMsgCells = inMsgs.map((msg) => writeWhole(writeInMsg, msg))
const outMsgs: readonly OutMsg[] = [
  { kind: 'immediate', outMsg: envelopes[0]!, transaction: marker(5), reimport: inMsgCells[1]! },
  { kind: 'new', outMsg: envelopes[2]!, transaction: marker(6) },
  { kind: 'dequeuedShort', msgEnvHash: filled(9), nextWorkchain: 0, nextAddrPfx: 1n << 63n, importBlockLt: 6n },
  { kind: 'deferredTransit', outMsg: envelopes[4]!, imported: inMsgCells[4]! },
]

const descr = (seqno: number): ShardDescr => ({
  feesInRef: seqno > 1,
  seqno,
  regMcSeqno: 8,
  startLt: 1n,
  endLt: 2n,
  rootHash: filled(seqno),
  fileHash: filled(seqno + 1),
  beforeSplit: false,
  beforeMerge: false,
  wantSplit: true,
  wantMerge: false,
  nxCcUpdated: false,
  nextCatchainSeqno: 3,
  nextValidatorShard: 0x8000_0000_0000_0000n,
  minRefMcSeqno: 6,
  genUtime: 1_700_000_000,
  splitMergeAt: { kind: 'split', utime: 1_700_000_100, interval: 20 },
  feesCollected: amount(5n),
  fundsCreated: amount(6n),
})

const key = (k: number): Uint8Array => filled(16 * k + 5)

const mcExtra = writeWhole(writeMcBlockExtra, {
  shardHashes: buildShardHashes([
    { workchain: 0, shard: 0x4000_0000_0000_0000n, descr: descr(1) },
    { workchain: 0, shard: 0xc000_0000_0000_0000n, descr: descr(2) },
    { workchain: 1, shard: 0x8000_0000_0000_0000n, descr: descr(3) },
  ]),
  shardFees: AugDict.of(shardFeesType, [
    [
      { workchain: 0, shard: 0x4000_0000_0000_0000n },
      { fees: amount(5n), create: amount(6n) },
    ],
    [
      { workchain: 0, shard: 0xc000_0000_0000_0000n },
      { fees: amount(7n), create: amount(8n) },
    ],
  ]),
  prevBlkSignatures: Dict.of(cryptoSignaturePairsType, [
    [0, { nodeIdShort: filled(1), signature: { kind: 'simple', signature: new Uint8Array(64) } }],
  ]),
  recoverCreateMsg: inMsgCells[1],
  mintMsg: undefined,
  config: {
    configAddr: filled(0x55),
    config: Dict.of(configDictType, [
      [0, marker(10)],
      [-71, marker(11)],
    ]),
  },
})

/** A masterchain key block with one of nearly everything, made up; its state is no state. */
export const sampleBlock: Cell = writeWhole(writeBlock, {
  globalId: -777,
  info: writeWhole(writeBlockInfo, info),
  valueFlow: writeWhole(writeValueFlow, {
    fromPrevBlk: amount(1_000n, [[239, 1n]]),
    toNextBlk: amount(1_000n, [[239, 1n]]),
    imported: amount(1n),
    exported: amount(2n),
    feesCollected: amount(3n),
    burned: amount(4n),
    feesImported: amount(5n),
    recovered: amount(6n),
    created: amount(7n),
    minted: amount(0n),
  }),
  stateUpdate: buildMerkleUpdate(marker(20), marker(21)),
  extra: writeWhole(writeBlockExtra, {
    inMsgDescr: writeWhole(
      writeAugDict,
      AugDict.of(
        inMsgDescrType({ ihrFeeCounts: false }),
        inMsgs.map((msg, k) => [key(k), msg]),
      ),
    ),
    outMsgDescr: writeWhole(
      writeAugDict,
      AugDict.of(
        outMsgDescrType({ ihrFeeCounts: false }),
        outMsgs.map((msg, k) => [key(k), msg]),
      ),
    ),
    accountBlocks: writeWhole(writeAugDict, AugDict.of(accountBlocksType)),
    randSeed: filled(0x11),
    createdBy: filled(0x22),
    custom: mcExtra,
  }),
})
