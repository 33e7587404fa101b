import { listPreviousBlocks } from '../../../src/chain/shardBlocks.ts'
import { type AugDict, writeAugDict } from '../../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../../src/codec/cell/CellWriter.ts'
import { encodeBoc } from '../../../src/codec/cell/encodeBoc.ts'
import { buildMerkleUpdate } from '../../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../../src/codec/cell/wholeCell.ts'
import {
  type BlockExtra,
  openAccountBlocks,
  openBlock,
  openBlockExtra,
  openValueFlow,
  type ValueFlow,
  writeBlock,
  writeBlockExtra,
  writeValueFlow,
} from '../../../src/codec/tlb/Block.ts'
import { type BlockInfo, writeBlockInfo } from '../../../src/codec/tlb/BlockInfo.ts'
import { type InMsgDescr, openInMsgDescr } from '../../../src/codec/tlb/InMsgDescr.ts'
import { type McBlockExtra, openMcBlockExtra, writeMcBlockExtra } from '../../../src/codec/tlb/McBlockExtra.ts'
import {
  type McStateExtra,
  type McStateHistory,
  openMcStateExtra,
  openMcStateHistory,
  writeMcStateExtra,
  writeMcStateHistory,
} from '../../../src/codec/tlb/McStateExtra.ts'
import { type OutMsgDescr, openOutMsgDescr } from '../../../src/codec/tlb/OutMsgDescr.ts'
import {
  type OutMsgQueueInfo,
  openOutMsgQueueInfo,
  writeOutMsgQueueInfo,
} from '../../../src/codec/tlb/OutMsgQueueInfo.ts'
import { openShardAccounts, type ShardAccounts } from '../../../src/codec/tlb/ShardAccounts.ts'
import {
  openShardState,
  openStateTotals,
  type ShardStateUnsplit,
  type StateTotals,
  writeShardStateUnsplit,
  writeStateTotals,
} from '../../../src/codec/tlb/ShardState.ts'
import type { AccountBlocks } from '../../../src/codec/tlb/Transaction.ts'
import { type CheckedBlock, checkBlock } from '../../../src/devnet/store/ChainStore.ts'
import { formatBlockIdExt } from '../../../src/primitives/BlockId.ts'
import type { ChainSource } from '../chainRules/ChainViews.ts'
import type { StepToCheck } from '../chainRules/checkStep.ts'

/** A block and the state after it, taken apart. */
export type BlockParts = {
  readonly globalId: number
  readonly info: BlockInfo
  readonly flow: ValueFlow
  readonly extra: BlockExtra
  readonly inMsgs: InMsgDescr
  readonly outMsgs: OutMsgDescr
  readonly accountBlocks: AccountBlocks
  readonly master: McBlockExtra | undefined
  readonly state: ShardStateUnsplit
  readonly totals: StateTotals
  readonly queue: OutMsgQueueInfo
  readonly accounts: ShardAccounts
  readonly stateMaster: McStateExtra | undefined
  readonly history: McStateHistory | undefined
}

const dictCell = <K, V, E>(dict: AugDict<K, V, E>): Cell => {
  const w = new CellWriter()
  writeAugDict(w, dict)
  return w.toCell()
}

const takeApart = (root: Cell, stateRoot: Cell): BlockParts => {
  const block = openBlock(root)
  const extra = openBlockExtra(block.extra)
  const state = openShardState(stateRoot)
  if (state.kind !== 'unsplit') throw new Error('The state after a block is that of one shard.')
  const stateMaster = state.custom && openMcStateExtra(state.custom)
  return {
    globalId: block.globalId,
    info: checkBlock(encodeBoc([root])).info,
    flow: openValueFlow(block.valueFlow),
    extra,
    inMsgs: openInMsgDescr(extra.inMsgDescr),
    outMsgs: openOutMsgDescr(extra.outMsgDescr),
    accountBlocks: openAccountBlocks(extra),
    master: extra.custom && openMcBlockExtra(extra.custom),
    state,
    totals: openStateTotals(state.totals),
    queue: openOutMsgQueueInfo(state.outMsgQueueInfo),
    accounts: openShardAccounts(state.accounts),
    stateMaster,
    history: stateMaster && openMcStateHistory(stateMaster.history),
  }
}

const putStateTogether = (parts: BlockParts): Cell =>
  writeWhole(writeShardStateUnsplit, {
    ...parts.state,
    totals: writeWhole(writeStateTotals, parts.totals),
    outMsgQueueInfo: writeWhole(writeOutMsgQueueInfo, parts.queue),
    accounts: dictCell(parts.accounts),
    custom:
      parts.stateMaster &&
      writeWhole(writeMcStateExtra, { ...parts.stateMaster, history: writeWhole(writeMcStateHistory, parts.history!) }),
  })

const putTogether = (parts: BlockParts, stateUpdate: Cell): CheckedBlock => {
  const extra = writeWhole(writeBlockExtra, {
    ...parts.extra,
    inMsgDescr: dictCell(parts.inMsgs),
    outMsgDescr: dictCell(parts.outMsgs),
    accountBlocks: dictCell(parts.accountBlocks),
    custom: parts.master && writeWhole(writeMcBlockExtra, parts.master),
  })
  const info = writeWhole(writeBlockInfo, parts.info)
  const valueFlow = writeWhole(writeValueFlow, parts.flow)
  return checkBlock(
    encodeBoc([writeWhole(writeBlock, { globalId: parts.globalId, info, valueFlow, stateUpdate, extra })]),
  )
}

/** A step with one block changed, and a chain in which its states are to be found. */
export type AlteredStep = { readonly step: StepToCheck; readonly source: ChainSource }

/**
 * Changes something in a block of a step or in the state after it; all hashes and the state update are made anew, so that only
 * the rule in question is broken. A block of a merge cannot be changed in this way.
 */
export const alterStep = (
  step: StepToCheck,
  source: ChainSource,
  picks: (block: CheckedBlock) => boolean,
  change: (parts: BlockParts) => Partial<BlockParts>,
): AlteredStep => {
  const picked = [...step.shardBlocks, step.master].find(picks)
  if (picked === undefined) throw new Error('There is no such block in the step.')
  const parts = takeApart(picked.root, source.findState(picked.id)!)
  const altered = { ...parts, ...change(parts) }
  const state = putStateTogether(altered)
  const isSame = state.hash().every((byte, k) => byte === source.findState(picked.id)!.hash()[k])
  const old = source.findState(listPreviousBlocks(picked.info)[0]!)!
  const block = putTogether(altered, isSame ? openBlock(picked.root).stateUpdate : buildMerkleUpdate(old, state))
  const name = formatBlockIdExt(block.id)
  const replace = (each: CheckedBlock): CheckedBlock => (each === picked ? block : each)
  return {
    step: { ...step, master: replace(step.master), shardBlocks: step.shardBlocks.map(replace) },
    source: { ...source, findState: (id) => (formatBlockIdExt(id) === name ? state : source.findState(id)) },
  }
}
