import { AugDict, writeAugDict } from '../../codec/cell/AugDict.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { BLOCK_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { recordVisited } from '../../codec/cell/HashIndex.ts'
import { buildMerkleUpdate } from '../../codec/cell/merkle.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { accountNoneCell } from '../../codec/tlb/Account.ts'
import { type ValueFlow, writeBlock, writeBlockExtra, writeValueFlow } from '../../codec/tlb/Block.ts'
import { type BlockInfo, type ExtBlkRef, writeBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { addCurrency, type CurrencyCollection, NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import { inMsgDescrType } from '../../codec/tlb/InMsgDescr.ts'
import { openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { outMsgDescrType } from '../../codec/tlb/OutMsgDescr.ts'
import {
  dispatchQueueType,
  openOutMsgQueueInfo,
  type ProcessedInfo,
  writeOutMsgQueueInfo,
} from '../../codec/tlb/OutMsgQueueInfo.ts'
import { openShardAccounts, type ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openStateTotals, writeShardStateUnsplit, writeStateTotals } from '../../codec/tlb/ShardState.ts'
import type { Libraries } from '../../codec/tlb/StateInit.ts'
import { type AccountBlocks, accountBlocksType, accountTransactionsType } from '../../codec/tlb/Transaction.ts'
import { type CheckedBlock, checkBlock } from '../store/ChainStore.ts'
import { type BlockDraft, isAbsent } from './BlockDraft.ts'
import { isZero, subtractCurrency } from './currencies.ts'
import { openUnsplit } from './MasterView.ts'
import { listQueue } from './messageQueue.ts'

/** The transactions of a block by account. */
const accountBlocksOf = (draft: BlockDraft): AccountBlocks => {
  const ran = draft.accounts.list().filter(({ transactions }) => transactions.length > 0)
  return AugDict.of(
    accountBlocksType,
    ran.map(({ hash, original, current, transactions }) => [
      hash,
      {
        accountAddr: hash,
        transactions: AugDict.of(accountTransactionsType, transactions),
        stateUpdate: { oldHash: (original?.account ?? accountNoneCell).hash(), newHash: current.account.hash() },
      },
    ]),
  )
}

/** The accounts of a state after a block. One that is gone, or never came to be, has no entry. */
const updateAccounts = (draft: BlockDraft): ShardAccounts => {
  let { accounts } = draft.context.base
  for (const { hash, current } of draft.accounts.list()) {
    accounts = isAbsent(current) ? accounts.delete(hash) : accounts.set(hash, current)
  }
  return accounts
}

/** The cell of the OutMsgQueueInfo after a block. */
const updateQueueInfo = ({ context, queueChanges }: BlockDraft, procInfo: ProcessedInfo): Cell => {
  const { base, rules } = context
  let { outQueue } = base
  let outQueueSize = listQueue(outQueue).length
  for (const change of queueChanges) {
    if (change.kind === 'add') {
      outQueue = outQueue.set(change.key, { enqueuedLt: change.enqueuedLt, outMsg: change.envelope })
      outQueueSize++
    } else {
      outQueue = outQueue.delete(change.key)
      outQueueSize--
    }
  }
  const extra = rules.hasQueueSize ? { dispatchQueue: AugDict.of(dispatchQueueType), outQueueSize } : undefined
  return writeWhole(writeOutMsgQueueInfo, { outQueue, procInfo, extra })
}

// The cells visited here set the size of the state update, not its meaning: below visited cells it refers to the old state and
// repeats cells that it cannot refer to.

/** Enters the cells of a state that every block changes. */
const visitState = (root: Cell): void => {
  const { outMsgQueueInfo, accounts, totals, custom } = openUnsplit(root)
  openOutMsgQueueInfo(outMsgQueueInfo)
  openShardAccounts(accounts)
  openStateTotals(totals)
  if (custom !== undefined) openMcStateHistory(openMcStateExtra(custom).history)
}

const MAX_DEPTH = 5
const MAX_CELLS = 64

/** Enters the upper cells of an account that has changed, so that its code above all is not repeated. */
const visitAccount = (account: Cell): void => {
  let cells = 0
  const visit = (cell: Cell, depth: number): void => {
    if (cell.refCount === 0 || cells++ >= MAX_CELLS) return
    openRaw(cell)
    if (depth < MAX_DEPTH) for (let k = 0; k < cell.refCount; k++) visit(cell.ref(k), depth + 1)
  }
  visit(account, 0)
}

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

  // A split or merged state shares cells with the old one at positions where nothing of it was read.
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
