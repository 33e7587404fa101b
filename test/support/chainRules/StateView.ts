import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { CellError } from '../../../src/codec/cell/errors.ts'
import {
  type McStateExtra,
  type McStateHistory,
  openMcStateExtra,
  openMcStateHistory,
} from '../../../src/codec/tlb/McStateExtra.ts'
import { type OutMsgQueueInfo, openOutMsgQueueInfo } from '../../../src/codec/tlb/OutMsgQueueInfo.ts'
import { openShardAccounts, type ShardAccounts } from '../../../src/codec/tlb/ShardAccounts.ts'
import { listShards, type ShardLeaf } from '../../../src/codec/tlb/ShardHashes.ts'
import {
  openShardState,
  openStateTotals,
  type ShardStateUnsplit,
  type StateTotals,
} from '../../../src/codec/tlb/ShardState.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { type EnvelopeView, openEnvelope } from './EnvelopeView.ts'
import { type NetworkConfig, readNetworkConfig } from './NetworkConfig.ts'

/** A message in an out queue. */
export type QueuedMessage = {
  /** Where it goes next and its hash, as the queue has it. */
  readonly key: { readonly workchain: number; readonly prefix: bigint; readonly message: string }
  readonly enqueuedLt: bigint
  readonly envelope: EnvelopeView
  readonly statedLt: bigint
}

/** A message that waits in the dispatch queue of its sender. */
export type DeferredMessage = {
  readonly account: string
  readonly key: bigint
  readonly enqueuedLt: bigint
  readonly envelope: EnvelopeView
}

export type Processed = {
  readonly shard: bigint
  readonly mcSeqno: number
  readonly lt: bigint
  /** The hash of the last message, in hex. */
  readonly message: string
}

/** What a masterchain state has besides. */
export type MasterView = {
  readonly extra: McStateExtra
  readonly history: McStateHistory
  readonly shards: readonly ShardLeaf[]
  readonly config: NetworkConfig
}

/** A state whose parts are read when they are asked for, and then kept. */
export class StateView {
  readonly root: Cell
  readonly state: ShardStateUnsplit
  readonly totals: StateTotals
  readonly queue: OutMsgQueueInfo
  readonly accounts: ShardAccounts
  private queued: ReadonlyMap<string, QueuedMessage> | undefined
  private deferred: ReadonlyMap<string, DeferredMessage> | undefined
  private processedList: readonly Processed[] | undefined
  private masterView: MasterView | undefined

  constructor(root: Cell) {
    const state = openShardState(root)
    if (state.kind !== 'unsplit') throw new CellError('Expected the state of one shard, but got a pair of states.')
    this.root = root
    this.state = state
    this.totals = openStateTotals(state.totals)
    this.queue = openOutMsgQueueInfo(state.outMsgQueueInfo)
    this.accounts = openShardAccounts(state.accounts)
  }

  /** The messages of the out queue by workchain, prefix and hash. */
  get outQueue(): ReadonlyMap<string, QueuedMessage> {
    if (this.queued !== undefined) return this.queued
    const queued = new Map<string, QueuedMessage>()
    this.queue.outQueue.forEach(({ workchain, prefix, hash }, { enqueuedLt, outMsg }, statedLt) => {
      const key = { workchain, prefix, message: toHex(hash) }
      queued.set(formatQueueKey(key), { key, enqueuedLt, envelope: openEnvelope(outMsg), statedLt })
    })
    this.queued = queued
    return queued
  }

  /** The messages of all dispatch queues by account and logical time. */
  get dispatchQueue(): ReadonlyMap<string, DeferredMessage> {
    if (this.deferred !== undefined) return this.deferred
    const deferred = new Map<string, DeferredMessage>()
    this.queue.extra?.dispatchQueue.forEach((id, { messages }) => {
      const account = toHex(id)
      messages.forEach((key, { enqueuedLt, outMsg }) => {
        deferred.set(`${account}:${key}`, { account, key, enqueuedLt, envelope: openEnvelope(outMsg) })
      })
    })
    this.deferred = deferred
    return deferred
  }

  get processed(): readonly Processed[] {
    this.processedList ??= this.queue.procInfo.entries().map(([{ shard, mcSeqno }, { lastMsgLt, lastMsgHash }]) => ({
      shard,
      mcSeqno,
      lt: lastMsgLt,
      message: toHex(lastMsgHash),
    }))
    return this.processedList
  }

  /** What only a masterchain state has; an error for another. */
  get master(): MasterView {
    if (this.masterView !== undefined) return this.masterView
    const { custom, shard } = this.state
    if (custom === undefined || shard.workchain !== masterchain) {
      throw new CellError(`Expected a state of the masterchain, but got one of workchain ${shard.workchain}.`)
    }
    const extra = openMcStateExtra(custom)
    this.masterView = {
      extra,
      history: openMcStateHistory(extra.history),
      shards: listShards(extra.shardHashes),
      config: readNetworkConfig(extra.config),
    }
    return this.masterView
  }
}

export const formatQueueKey = ({ workchain, prefix, message }: QueuedMessage['key']): string =>
  `${workchain}:${prefix.toString(16).padStart(16, '0')}:${message}`
