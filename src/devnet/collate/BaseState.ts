import { AugDict } from '../../codec/cell/AugDict.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import type { ExtBlkRef, PrevBlocks, ShardIdent } from '../../codec/tlb/BlockInfo.ts'
import { addCurrency, type CurrencyCollection, extraCurrenciesType } from '../../codec/tlb/CurrencyCollection.ts'
import { type OutMsgQueue, openOutMsgQueueInfo, outMsgQueueType } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { openShardAccounts, type ShardAccounts, shardAccountsType } from '../../codec/tlb/ShardAccounts.ts'
import {
  openStateTotals,
  type ShardStateUnsplit,
  type StateTotals,
  writeShardState,
} from '../../codec/tlb/ShardState.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { findShardParent, isShardAncestor, shardChildren, shardContains } from '../../primitives/shard.ts'
import { openUnsplit } from './MasterView.ts'
import { isInShard, listProcessed, listQueue, type ProcessedEntry, type QueuedMessage } from './messageQueue.ts'

/** What a block builds on: the state before it, cut or joined where shards were split or merged. */
export type BaseState = {
  readonly ident: ShardIdent
  /** Of the block to be made. */
  readonly seqno: number
  readonly prev: PrevBlocks
  /** The old side of the state update. */
  readonly root: Cell
  readonly afterSplit: boolean
  readonly afterMerge: boolean
  readonly globalId: number
  readonly genLt: bigint
  readonly genUtime: number
  readonly accounts: ShardAccounts
  readonly outQueue: OutMsgQueue
  readonly processed: readonly ProcessedEntry[]
  readonly totals: StateTotals
  readonly custom: Cell | undefined
}

/** A block and the state after it. */
export type ShardTop = { readonly id: BlockIdExt; readonly state: Cell }

export const continueShard = ({ id, state: root }: ShardTop): BaseState => {
  const state = openUnsplit(root)
  const { outQueue, procInfo } = openOutMsgQueueInfo(state.outMsgQueueInfo)
  return {
    ident: { workchain: id.workchain, shard: id.shard },
    seqno: id.seqno + 1,
    prev: [refOf(id, state)],
    root,
    afterSplit: false,
    afterMerge: false,
    globalId: state.globalId,
    genLt: state.genLt,
    genUtime: state.genUtime,
    accounts: openShardAccounts(state.accounts),
    outQueue,
    processed: listProcessed(procInfo),
    totals: openStateTotals(state.totals),
    custom: state.custom,
  }
}

/** One of the two shards that a shard has split into. */
export const cutShard = (top: ShardTop, shard: bigint): BaseState => {
  const whole = continueShard(top)
  const ident = { workchain: top.id.workchain, shard }
  const isRight = shardChildren(top.id.shard)[1] === shard
  const accounts = AugDict.of(
    shardAccountsType,
    whole.accounts.entries().filter(([hash]) => shardContains(shard, getU64BE(hash, 0))),
  )
  // A message belongs to the shard that queues it.
  const queued = listQueue(whole.outQueue).filter(({ current }) => isInShard(ident, current))
  return {
    ...whole,
    ident,
    afterSplit: true,
    accounts,
    outQueue: AugDict.of(
      outMsgQueueType,
      queued.map(({ key, enqueuedLt, envelopeCell }) => [key, { enqueuedLt, outMsg: envelopeCell }] as const),
    ),
    processed: whole.processed.flatMap((entry) => cutEntry(entry, shard)),
    totals: {
      ...whole.totals,
      overloadHistory: 0n,
      underloadHistory: 0n,
      totalBalance: accounts.rootExtra.balance,
      totalValidatorFees: halve(whole.totals.totalValidatorFees, isRight),
    },
  }
}

/** An entry about a shard that holds the child is now about the child; one about a part of it stays; others are dropped. */
const cutEntry = (entry: ProcessedEntry, shard: bigint): ProcessedEntry[] => {
  if (isShardAncestor(entry.shard, shard)) return [{ ...entry, shard }]
  return isShardAncestor(shard, entry.shard) ? [entry] : []
}

/** The shard that two have merged into. */
export const joinShards = (left: ShardTop, right: ShardTop): BaseState => {
  const a = continueShard(left)
  const b = continueShard(right)
  const accounts = AugDict.of(shardAccountsType, [...a.accounts.entries(), ...b.accounts.entries()])
  return {
    ...a,
    ident: { workchain: left.id.workchain, shard: findShardParent(left.id.shard)! },
    seqno: Math.max(a.seqno, b.seqno),
    prev: [a.prev[0], b.prev[0]],
    root: writeWhole(writeShardState, { kind: 'split', left: left.state, right: right.state }),
    afterMerge: true,
    genLt: a.genLt > b.genLt ? a.genLt : b.genLt,
    genUtime: Math.max(a.genUtime, b.genUtime),
    accounts,
    outQueue: AugDict.of(outMsgQueueType, [...a.outQueue.entries(), ...b.outQueue.entries()]),
    processed: [...a.processed, ...b.processed],
    totals: {
      ...a.totals,
      overloadHistory: 0n,
      underloadHistory: 0n,
      totalBalance: accounts.rootExtra.balance,
      totalValidatorFees: addCurrency(a.totals.totalValidatorFees, b.totals.totalValidatorFees),
    },
  }
}

const refOf = (id: BlockIdExt, { genLt }: ShardStateUnsplit): ExtBlkRef => ({
  endLt: genLt,
  seqno: id.seqno,
  rootHash: id.rootHash,
  fileHash: id.fileHash,
})

/** Half of an amount; the odd unit goes to the right. */
const halve = ({ grams, extra }: CurrencyCollection, isRight: boolean): CurrencyCollection => {
  const half = (amount: bigint): bigint => (amount + (isRight ? 1n : 0n)) >> 1n
  const halves = extra
    .entries()
    .flatMap(([id, amount]): [number, bigint][] => (half(amount) > 0n ? [[id, half(amount)]] : []))
  return { grams: half(grams), extra: Dict.of(extraCurrenciesType, halves) }
}

/** A shard whose queue another looks into: for messages to take in, and for which of its own have arrived. */
export type Neighbour = {
  readonly ident: ShardIdent
  readonly endLt: bigint
  readonly messages: readonly QueuedMessage[]
  readonly processed: readonly ProcessedEntry[]
}

export const openNeighbour = ({ shard, genLt, outMsgQueueInfo }: ShardStateUnsplit): Neighbour => {
  const { outQueue, procInfo } = openOutMsgQueueInfo(outMsgQueueInfo)
  return { ident: shard, endLt: genLt, messages: listQueue(outQueue), processed: listProcessed(procInfo) }
}
