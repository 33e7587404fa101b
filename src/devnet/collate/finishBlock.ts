import { AugDict, writeAugDict } from '../../codec/cell/AugDict.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { BLOCK_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { recordVisited } from '../../codec/cell/HashIndex.ts'
import { buildMerkleUpdate } from '../../codec/cell/merkle.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type ValueFlow, writeBlock, writeBlockExtra, writeValueFlow } from '../../codec/tlb/Block.ts'
import { type BlockInfo, type ExtBlkRef, writeBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { addCurrency, type CurrencyCollection, NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import { inMsgDescrType } from '../../codec/tlb/InMsgDescr.ts'
import { outMsgDescrType } from '../../codec/tlb/OutMsgDescr.ts'
import type { ProcessedInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { writeShardStateUnsplit, writeStateTotals } from '../../codec/tlb/ShardState.ts'
import type { Libraries } from '../../codec/tlb/StateInit.ts'
import { type CheckedBlock, checkBlock } from '../store/ChainStore.ts'
import { accountBlocksOf } from './accountBlocks.ts'
import type { BlockDraft } from './BlockDraft.ts'
import { isZero, subtractCurrency } from './currencies.ts'
import { updateAccounts, updateQueueInfo } from './updateState.ts'
import { visitAccount, visitState } from './visitState.ts'

/** What a block says of itself besides what follows from its draft. */
export type BlockHead = Omit<BlockInfo, 'startLt' | 'endLt' | 'workchain' | 'shard' | 'seqno'>

export type BlockParts = {
  readonly head: BlockHead
  readonly randSeed: Uint8Array
  readonly createdBy: Uint8Array
  readonly procInfo: ProcessedInfo
  readonly created: CurrencyCollection
  readonly feesImported: CurrencyCollection
  readonly recovered: CurrencyCollection
  readonly overloadHistory: bigint
  readonly underloadHistory: bigint
  readonly libraries: Libraries
  readonly masterRef: ExtBlkRef | undefined
  /** The masterchain's part of the state. It is made while what it reads of the old state is recorded. */
  makeCustom(): Cell | undefined
  readonly blockCustom: Cell | undefined
}

export type FinishedBlock = {
  readonly block: CheckedBlock
  readonly state: Cell
  readonly flow: ValueFlow
}

/** Makes the block and the state after it from all that was gathered. */
export const finishBlock = (draft: BlockDraft, parts: BlockParts): FinishedBlock => {
  const { base, startLt, rules } = draft.context
  const rule = { ihrFeeCounts: rules.version.version < 12 }
  const inMsgs = AugDict.of(inMsgDescrType(rule), draft.inMsgs.values())
  const outMsgs = AugDict.of(outMsgDescrType(rule), draft.outMsgs.values())
  const accountBlocks = accountBlocksOf(draft)
  const { fees: flowFees, ...amounts } = feesOf(parts, accountBlocks.rootExtra, inMsgs.rootExtra.feesCollected)

  // A state that was cut or joined shares cells with the old one in places where nothing was read of it.
  const isWhole = base.afterSplit || base.afterMerge
  let state: Cell | undefined
  let toNextBlk = base.totals.totalBalance
  const visited = recordVisited(() => {
    if (!isWhole) visitState(base.root)
    const accounts = updateAccounts(draft)
    toNextBlk = accounts.rootExtra.balance
    const totals = {
      overloadHistory: parts.overloadHistory,
      underloadHistory: parts.underloadHistory,
      totalBalance: toNextBlk,
      totalValidatorFees: subtractCurrency(addCurrency(base.totals.totalValidatorFees, flowFees), parts.recovered),
      libraries: parts.libraries,
      masterRef: parts.masterRef,
    }
    state = writeWhole(writeShardStateUnsplit, {
      kind: 'unsplit',
      globalId: base.globalId,
      shard: base.ident,
      isShardEndWritten: false,
      seqno: base.seqno,
      vertSeqno: 0,
      genUtime: parts.head.genUtime,
      genLt: draft.maxLt,
      minRefMcSeqno: parts.head.minRefMcSeqno,
      outMsgQueueInfo: updateQueueInfo(draft, parts.procInfo),
      beforeSplit: parts.head.beforeSplit,
      accounts: writeWhole(writeAugDict, accounts),
      totals: writeWhole(writeStateTotals, totals),
      custom: parts.makeCustom(),
    })
    for (const { original } of draft.accounts.list()) if (original !== undefined) visitAccount(original.account)
  })

  const flow: ValueFlow = {
    fromPrevBlk: base.totals.totalBalance,
    toNextBlk,
    imported: inMsgs.rootExtra.valueImported,
    exported: outMsgs.rootExtra,
    feesCollected: flowFees,
    burned: isZero(draft.burned) ? undefined : draft.burned,
    ...amounts,
    recovered: parts.recovered,
    minted: draft.minted,
  }
  const { workchain, shard } = base.ident
  const info = { ...parts.head, seqno: base.seqno, workchain, shard, startLt, endLt: draft.maxLt }
  const root = writeWhole(writeBlock, {
    globalId: base.globalId,
    info: writeWhole(writeBlockInfo, info),
    valueFlow: writeWhole(writeValueFlow, flow),
    stateUpdate: isWhole ? buildMerkleUpdate(base.root, state!) : buildMerkleUpdate(base.root, state!, visited),
    extra: writeWhole(writeBlockExtra, {
      inMsgDescr: writeWhole(writeAugDict, inMsgs),
      outMsgDescr: writeWhole(writeAugDict, outMsgs),
      accountBlocks: writeWhole(writeAugDict, accountBlocks),
      randSeed: parts.randSeed,
      createdBy: parts.createdBy,
      custom: parts.blockCustom,
    }),
  })
  return { block: checkBlock(encodeBoc([root], BLOCK_BOC)), state: state!, flow }
}

const feesOf = ({ created, feesImported }: BlockParts, ofTransactions: CurrencyCollection, ofImports: bigint) => ({
  created,
  feesImported,
  fees: [{ grams: ofImports, extra: NO_EXTRA_CURRENCIES }, created, feesImported].reduce(addCurrency, ofTransactions),
})
