import assert from 'node:assert/strict'
import { AugDict, type AugDictType, writeAugDict } from '../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { readMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import {
  type Block,
  type BlockExtra,
  openBlock,
  openBlockExtra,
  openValueFlow,
  type ValueFlow,
  writeBlock,
  writeBlockExtra,
  writeValueFlow,
} from '../../src/codec/tlb/Block.ts'
import {
  type BlockInfo,
  openBlockInfo,
  openPrevRef,
  prevRefCell,
  writeBlockInfo,
} from '../../src/codec/tlb/BlockInfo.ts'
import type { CurrencyCollection } from '../../src/codec/tlb/CurrencyCollection.ts'
import { type InMsg, inMsgDescrType, openInMsg, openInMsgDescr, writeInMsg } from '../../src/codec/tlb/InMsgDescr.ts'
import {
  type McBlockExtra,
  openMcBlockExtra,
  shardFeesType,
  writeMcBlockExtra,
} from '../../src/codec/tlb/McBlockExtra.ts'
import { type IhrFeeRule, openMsgEnvelope, writeMsgEnvelope } from '../../src/codec/tlb/MsgEnvelope.ts'
import { type OutMsg, openOutMsgDescr, outMsgDescrType } from '../../src/codec/tlb/OutMsgDescr.ts'
import { buildShardHashes, findShard, listShards, type ShardLeaf } from '../../src/codec/tlb/ShardHashes.ts'
import { toHex } from '../../src/primitives/hex.ts'

/** A block read in full, every part of it checked to be written back to the same cell. */
export type RewrittenBlock = {
  readonly block: Block
  readonly info: BlockInfo
  readonly valueFlow: ValueFlow
  readonly extra: BlockExtra
  readonly mcExtra: McBlockExtra | undefined
  readonly shards: readonly ShardLeaf[]
  readonly inMsgs: readonly InMsg[]
  readonly outMsgs: readonly OutMsg[]
}

/** How many of each thing were checked. */
export class Tally {
  readonly counts = new Map<string, number>()

  add(what: string, count = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + count)
  }

  toString(): string {
    const sorted = [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1))
    return sorted.map(([what, count]) => `${what} ${count}`).join(', ')
  }
}

const assertSame = (what: string, rewritten: Cell, original: Cell, tally: Tally): void => {
  assert.equal(toHex(rewritten.hash()), toHex(original.hash()), `${what} was written back to another cell.`)
  tally.add(what)
}

const rewriteEnvelopes = (msg: InMsg | OutMsg, tally: Tally): void => {
  for (const cell of ['inMsg' in msg ? msg.inMsg : undefined, 'outMsg' in msg ? msg.outMsg : undefined]) {
    if (cell === undefined) continue
    const envelope = openMsgEnvelope(cell)
    assertSame(`MsgEnvelope v${envelope.version}`, writeWhole(writeMsgEnvelope, envelope), cell, tally)
    if (envelope.emittedLt !== undefined) tally.add('MsgEnvelope with emitted_lt')
    if (envelope.metadata !== undefined) tally.add('MsgEnvelope with metadata')
  }
}

/** Builds the dictionary anew from its entries, so that every label and every extra in it is made by us. */
const rebuild = <K, V, E>(type: AugDictType<K, V, E>, dict: AugDict<K, V, E>): Cell => {
  const w = new CellWriter()
  writeAugDict(w, AugDict.of(type, dict.entries()))
  return w.toCell()
}

const rewriteInMsgCell = (cell: Cell | undefined, what: string, tally: Tally): Cell | undefined => {
  if (cell === undefined) return undefined
  const msg = openInMsg(cell)
  assert.equal(msg.kind, 'immediate')
  rewriteEnvelopes(msg, tally)
  const rewritten = writeWhole(writeInMsg, msg)
  assertSame(what, rewritten, cell, tally)
  return rewritten
}

const rewriteMcExtra = (cell: Cell, tally: Tally): { mcExtra: McBlockExtra; shards: ShardLeaf[]; rewritten: Cell } => {
  const mcExtra = openMcBlockExtra(cell)
  const shards = listShards(mcExtra.shardHashes)
  for (const leaf of shards) {
    assert.deepEqual(findShard(mcExtra.shardHashes, leaf), leaf)
    tally.add(leaf.descr.feesInRef ? 'ShardDescr #a' : 'ShardDescr #b')
    if (leaf.descr.splitMergeAt.kind !== 'none') tally.add(`ShardDescr with planned ${leaf.descr.splitMergeAt.kind}`)
  }
  const { prevBlkSignatures, recoverCreateMsg, mintMsg, config } = mcExtra
  const rewritten = writeWhole(writeMcBlockExtra, {
    shardHashes: buildShardHashes(shards),
    shardFees: AugDict.of(shardFeesType, mcExtra.shardFees.entries()),
    prevBlkSignatures: Dict.of(prevBlkSignatures.type, prevBlkSignatures.entries()),
    recoverCreateMsg: rewriteInMsgCell(recoverCreateMsg, 'recover_create_msg', tally),
    mintMsg: rewriteInMsgCell(mintMsg, 'mint_msg', tally),
    config: config && { configAddr: config.configAddr, config: Dict.of(config.config.type, config.config.entries()) },
  })
  assertSame('McBlockExtra', rewritten, cell, tally)
  tally.add('prev_blk_signatures', prevBlkSignatures.entries().length)
  tally.add('shard_fees entries', mcExtra.shardFees.entries().length)
  if (config !== undefined) tally.add('ConfigParams')
  return { mcExtra, shards, rewritten }
}

const sumUp = (amounts: readonly (CurrencyCollection | undefined)[]): Map<number | 'grams', bigint> => {
  const sums = new Map<number | 'grams', bigint>()
  const add = (id: number | 'grams', amount: bigint) => void sums.set(id, (sums.get(id) ?? 0n) + amount)
  for (const amount of amounts) {
    if (amount === undefined) continue
    add('grams', amount.grams)
    amount.extra.forEach(add)
  }
  return sums
}

const assertBalanced = (flow: ValueFlow): void => {
  const { fromPrevBlk, imported, feesImported, created, minted, recovered } = flow
  const { toNextBlk, exported, feesCollected, burned } = flow
  assert.deepEqual(
    sumUp([fromPrevBlk, imported, feesImported, created, minted, recovered]),
    sumUp([toNextBlk, exported, feesCollected, burned]),
  )
}

/** Reads all of a block and writes every part of it back, dictionaries of messages and shards from their single entries. */
export const rewriteBlock = (root: Cell, rule: IhrFeeRule, tally: Tally): RewrittenBlock => {
  const block = openBlock(root)
  const info = openBlockInfo(block.info)
  const prevRef = prevRefCell(openPrevRef(info))
  assertSame('prev_ref', prevRef, info.prevRef, tally)
  const newInfo = writeWhole(writeBlockInfo, { ...info, prevRef })
  assertSame('BlockInfo', newInfo, block.info, tally)

  const valueFlow = openValueFlow(block.valueFlow)
  const newValueFlow = writeWhole(writeValueFlow, valueFlow)
  assertSame(valueFlow.burned === undefined ? 'ValueFlow v1' : 'ValueFlow v2', newValueFlow, block.valueFlow, tally)
  assertBalanced(valueFlow)

  const extra = openBlockExtra(block.extra)
  const inMsgDescr = openInMsgDescr(extra.inMsgDescr, rule)
  const inMsgs = inMsgDescr.entries().map(([, msg]) => msg)
  for (const msg of inMsgs) {
    tally.add(`InMsg ${msg.kind}`)
    rewriteEnvelopes(msg, tally)
  }
  const newInMsgDescr = rebuild(inMsgDescrType(rule), inMsgDescr)
  assertSame('InMsgDescr', newInMsgDescr, extra.inMsgDescr, tally)

  const outMsgDescr = openOutMsgDescr(extra.outMsgDescr, rule)
  const outMsgs = outMsgDescr.entries().map(([, msg]) => msg)
  for (const msg of outMsgs) {
    tally.add(`OutMsg ${msg.kind}`)
    rewriteEnvelopes(msg, tally)
  }
  const newOutMsgDescr = rebuild(outMsgDescrType(rule), outMsgDescr)
  assertSame('OutMsgDescr', newOutMsgDescr, extra.outMsgDescr, tally)

  assert.deepEqual(sumUp([inMsgDescr.rootExtra.valueImported]), sumUp([valueFlow.imported]))
  assert.deepEqual(sumUp([outMsgDescr.rootExtra]), sumUp([valueFlow.exported]))

  const mc = extra.custom === undefined ? undefined : rewriteMcExtra(extra.custom, tally)
  assert.equal(mc === undefined, info.masterRef !== undefined)
  assert.equal(mc?.mcExtra.config !== undefined, info.keyBlock)
  if (mc !== undefined) assert.deepEqual(sumUp([mc.mcExtra.shardFees.rootExtra.fees]), sumUp([valueFlow.feesImported]))

  const newExtra = writeWhole(writeBlockExtra, {
    ...extra,
    inMsgDescr: newInMsgDescr,
    outMsgDescr: newOutMsgDescr,
    custom: mc?.rewritten,
  })
  assertSame('BlockExtra', newExtra, block.extra, tally)
  readMerkleUpdate(block.stateUpdate)
  const newRoot = writeWhole(writeBlock, { ...block, info: newInfo, valueFlow: newValueFlow, extra: newExtra })
  assertSame('Block', newRoot, root, tally)
  return { block, info, valueFlow, extra, mcExtra: mc?.mcExtra, shards: mc?.shards ?? [], inMsgs, outMsgs }
}
