import { listPreviousBlocks } from '../../../src/chain/shardBlocks.ts'
import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { openCell } from '../../../src/codec/cell/CellReader.ts'
import { readWhole, writeWhole } from '../../../src/codec/cell/wholeCell.ts'
import {
  type BlockExtra,
  openAccountBlocks,
  openBlock,
  openBlockExtra,
  openValueFlow,
  type ValueFlow,
} from '../../../src/codec/tlb/Block.ts'
import { type BlockInfo, openBlockInfo, openPrevRef, type PrevBlocks } from '../../../src/codec/tlb/BlockInfo.ts'
import { type InMsg, type InMsgDescr, openInMsgDescr, writeInMsg } from '../../../src/codec/tlb/InMsgDescr.ts'
import { type McBlockExtra, openMcBlockExtra } from '../../../src/codec/tlb/McBlockExtra.ts'
import { type CommonMsgInfo, readCommonMsgInfo } from '../../../src/codec/tlb/Message.ts'
import { type OutMsg, type OutMsgDescr, openOutMsgDescr } from '../../../src/codec/tlb/OutMsgDescr.ts'
import {
  type AccountBlock,
  type AccountBlocks,
  listOutMsgs,
  readTransaction,
  type Transaction,
} from '../../../src/codec/tlb/Transaction.ts'
import type { CheckedBlock } from '../../../src/devnet/store/ChainStore.ts'
import { type BlockIdExt, formatBlockId } from '../../../src/primitives/BlockId.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { type EnvelopeView, openEnvelope } from './EnvelopeView.ts'

export type MessageView = { readonly hash: string; readonly cell: Cell; readonly info: CommonMsgInfo }

export type TransactionView = {
  readonly account: string
  readonly hash: string
  readonly tx: Transaction
  /** The first logical time after it and its messages. */
  readonly endLt: bigint
  readonly inMessage: MessageView | undefined
  readonly outMessages: readonly MessageView[]
}

export type AccountBlockView = {
  readonly account: string
  readonly block: AccountBlock
  readonly transactions: readonly TransactionView[]
}

export type InMsgView = {
  readonly key: string
  readonly msg: InMsg
  /** The hash of the InMsg as a cell of its own, as an OutMsg refers to it. */
  readonly hash: string
  readonly envelope: EnvelopeView | undefined
  /** Passed on in another envelope. */
  readonly outEnvelope: EnvelopeView | undefined
  readonly transaction: string | undefined
}

export type OutMsgView = {
  readonly key: string
  readonly msg: OutMsg
  readonly envelope: EnvelopeView | undefined
  readonly transaction: string | undefined
  /** The hash of the InMsg that it refers to. */
  readonly inMsg: string | undefined
}

/** A block read in full. */
export type BlockView = {
  readonly id: BlockIdExt
  readonly name: string
  readonly globalId: number
  readonly info: BlockInfo
  readonly previous: readonly BlockIdExt[]
  readonly previousRefs: PrevBlocks
  readonly flow: ValueFlow
  readonly stateUpdate: Cell
  readonly extra: BlockExtra
  readonly accountDict: AccountBlocks
  readonly accountBlocks: ReadonlyMap<string, AccountBlockView>
  readonly transactions: readonly TransactionView[]
  readonly inDescr: InMsgDescr
  readonly inMsgs: ReadonlyMap<string, InMsgView>
  readonly outDescr: OutMsgDescr
  readonly outMsgs: ReadonlyMap<string, OutMsgView>
  readonly master: McBlockExtra | undefined
}

const openMessage = (cell: Cell): MessageView => ({
  hash: toHex(cell.hash()),
  cell,
  info: readCommonMsgInfo(openCell(cell)),
})

const openTransaction = (account: string, cell: Cell): TransactionView => {
  const tx = readWhole(cell, readTransaction, 'A Transaction')
  const outMessages = listOutMsgs(tx).map(openMessage)
  return {
    account,
    hash: toHex(cell.hash()),
    tx,
    endLt: tx.lt + 1n + BigInt(outMessages.length),
    inMessage: tx.inMsg && openMessage(tx.inMsg),
    outMessages,
  }
}

const openAccounts = (dict: AccountBlocks): Map<string, AccountBlockView> => {
  const blocks = new Map<string, AccountBlockView>()
  dict.forEach((id, block) => {
    const account = toHex(id)
    const transactions = block.transactions.entries().map(([, cell]) => openTransaction(account, cell))
    blocks.set(account, { account, block, transactions })
  })
  return blocks
}

const viewInMsg = (key: string, msg: InMsg): InMsgView => ({
  key,
  msg,
  hash: toHex(writeWhole(writeInMsg, msg).hash()),
  envelope: 'inMsg' in msg ? openEnvelope(msg.inMsg) : undefined,
  outEnvelope: 'outMsg' in msg ? openEnvelope(msg.outMsg) : undefined,
  transaction: 'transaction' in msg ? toHex(msg.transaction.hash()) : undefined,
})

const viewOutMsg = (key: string, msg: OutMsg): OutMsgView => {
  const inMsg = 'reimport' in msg ? msg.reimport : 'imported' in msg ? msg.imported : undefined
  return {
    key,
    msg,
    envelope: 'outMsg' in msg ? openEnvelope(msg.outMsg) : undefined,
    transaction: 'transaction' in msg ? toHex(msg.transaction.hash()) : undefined,
    inMsg: inMsg && toHex(inMsg.hash()),
  }
}

export const viewBlock = ({ id, root }: CheckedBlock): BlockView => {
  const block = openBlock(root)
  const info = openBlockInfo(block.info)
  const extra = openBlockExtra(block.extra)
  const accountDict = openAccountBlocks(extra)
  const accountBlocks = openAccounts(accountDict)
  const inDescr = openInMsgDescr(extra.inMsgDescr)
  const outDescr = openOutMsgDescr(extra.outMsgDescr)
  const views = <V, T>(entries: readonly [Uint8Array, V][], view: (key: string, value: V) => T): Map<string, T> =>
    new Map(entries.map(([key, value]) => [toHex(key), view(toHex(key), value)]))
  return {
    id,
    name: formatBlockId(id),
    globalId: block.globalId,
    info,
    previous: listPreviousBlocks(info),
    previousRefs: openPrevRef(info),
    flow: openValueFlow(block.valueFlow),
    stateUpdate: block.stateUpdate,
    extra,
    accountDict,
    accountBlocks,
    transactions: [...accountBlocks.values()].flatMap(({ transactions }) => transactions),
    inDescr,
    inMsgs: views(inDescr.entries(), viewInMsg),
    outDescr,
    outMsgs: views(outDescr.entries(), viewOutMsg),
    master: extra.custom && openMcBlockExtra(extra.custom),
  }
}
