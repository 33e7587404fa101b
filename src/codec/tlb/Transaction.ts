import { type AugDict, type AugDictType, readInlineAugDict, writeInlineAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import { type CellReader, openCell } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { cellValue, hashKey, uint64Key, uintKey } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { type AccountStatus, readAccountStatus, writeAccountStatus } from './Account.ts'
import {
  addCurrency,
  type CurrencyCollection,
  currencyCollectionCodec,
  readCurrencyCollection,
  writeCurrencyCollection,
  ZERO_CURRENCY,
} from './CurrencyCollection.ts'
import {
  readStorageFee,
  readTransactionDescr,
  type TransactionDescr,
  writeTransactionDescr,
} from './TransactionDescr.ts'

type HashUpdate = { readonly oldHash: Uint8Array; readonly newHash: Uint8Array }

/** update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X; */
const readHashUpdate = (r: CellReader): HashUpdate => {
  r.expectTag(0x72, 8)
  return { oldHash: r.readBytes(32), newHash: r.readBytes(32) }
}

const writeHashUpdate = (w: CellWriter, { oldHash, newHash }: HashUpdate): void => {
  w.writeUint(0x72, 8).writeBytes(oldHash).writeBytes(newHash)
}

export const outMsgsType: DictType<number, Cell> = { key: uintKey(15), value: cellValue }

export type Transaction = {
  readonly accountAddr: Uint8Array
  readonly lt: bigint
  readonly prevTransHash: Uint8Array
  readonly prevTransLt: bigint
  readonly now: number
  readonly outMsgCount: number
  readonly origStatus: AccountStatus
  readonly endStatus: AccountStatus
  /** The message as a cell: its hash is what names it; read it with `readMessage`. */
  readonly inMsg: Cell | undefined
  /** Messages by their number, from 0 on. */
  readonly outMsgs: Dict<number, Cell>
  readonly totalFees: CurrencyCollection
  readonly stateUpdate: HashUpdate
  readonly description: TransactionDescr
}

/**
 * transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
 *   outmsg_cnt:uint15 orig_status:AccountStatus end_status:AccountStatus
 *   ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
 *   total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account) description:^TransactionDescr = Transaction;
 */
export const readTransaction = (r: CellReader): Transaction => {
  r.expectTag(0b0111, 4)
  const accountAddr = r.readBytes(32)
  const lt = r.readUint64()
  const prevTransHash = r.readBytes(32)
  const prevTransLt = r.readUint64()
  const now = r.readUint(32)
  const outMsgCount = r.readUint(15)
  const origStatus = readAccountStatus(r)
  const endStatus = readAccountStatus(r)
  const messages = r.readRef()
  const inMsg = messages.readMaybeRefCell()
  const outMsgs = readDict(messages, outMsgsType)
  messages.expectEnd('The messages of a transaction')
  return {
    accountAddr,
    lt,
    prevTransHash,
    prevTransLt,
    now,
    outMsgCount,
    origStatus,
    endStatus,
    inMsg,
    outMsgs,
    totalFees: readCurrencyCollection(r),
    stateUpdate: readWholeRef(r, readHashUpdate, 'A hash update'),
    description: readWholeRef(r, readTransactionDescr, 'The description of a transaction'),
  }
}

/** What lists of transactions show of one: a third of what there is to read. */
export const readTransactionSummary = (r: CellReader) => {
  r.expectTag(0b0111, 4)
  const accountAddr = r.readBytes(32)
  r.skipBits(64 + 256 + 64)
  const now = r.readUint(32)
  const outMsgCount = r.readUint(15)
  r.skipBits(2 + 2)
  const messages = r.readRef()
  const inMsg = messages.readMaybeRefCell()
  const outMsgs = readDict(messages, outMsgsType)
  messages.expectEnd('The messages of a transaction')
  const totalFees = r.readCoins()
  if (r.readBit()) r.skipRef()
  r.skipRef()
  return { accountAddr, now, outMsgCount, inMsg, outMsgs, totalFees, storageFee: readStorageFee(r.readRef()) }
}

export const writeTransaction = (w: CellWriter, tx: Transaction): void => {
  w.writeUint(0b0111, 4).writeBytes(tx.accountAddr).writeUint64(tx.lt)
  w.writeBytes(tx.prevTransHash).writeUint64(tx.prevTransLt)
  w.writeUint(tx.now, 32).writeUint(tx.outMsgCount, 15)
  writeAccountStatus(w, tx.origStatus)
  writeAccountStatus(w, tx.endStatus)
  const messages = new CellWriter().writeMaybeRef(tx.inMsg)
  writeDict(messages, tx.outMsgs)
  w.writeRef(messages.toCell())
  writeCurrencyCollection(w, tx.totalFees)
  w.writeRef(writeWhole(writeHashUpdate, tx.stateUpdate))
  w.writeRef(writeWhole(writeTransactionDescr, tx.description))
}

/** The outgoing messages in their order, checked to be as many as the transaction says. */
export const listOutMsgs = ({ outMsgs, outMsgCount }: Pick<Transaction, 'outMsgs' | 'outMsgCount'>): Cell[] => {
  const cells: Cell[] = []
  outMsgs.forEach((number, cell) => {
    if (number !== cells.length) throw new CellError(`Outgoing message ${cells.length} is missing, ${number} follows.`)
    cells.push(cell)
  })
  if (cells.length !== outMsgCount) {
    throw new CellError(`A transaction says it has ${outMsgCount} outgoing messages, it holds ${cells.length}.`)
  }
  return cells
}

/** The total fees alone: what dictionaries of transactions sum up. */
export const readTotalFees = (transaction: Cell): CurrencyCollection => {
  const r = openCell(transaction)
  r.skipBits(4 + 256 + 64 + 256 + 64 + 32 + 15 + 2 + 2)
  r.skipRef()
  return readCurrencyCollection(r)
}

/** Transactions of one account in one block, by logical time, with their fees summed up. */
export type AccountTransactions = AugDict<bigint, Cell, CurrencyCollection>

/** HashmapAug 64 ^Transaction CurrencyCollection */
export const accountTransactionsType: AugDictType<bigint, Cell, CurrencyCollection> = {
  key: uint64Key,
  value: cellValue,
  extra: { codec: currencyCollectionCodec, empty: ZERO_CURRENCY, combine: addCurrency, ofLeaf: readTotalFees },
}

export type AccountBlock = {
  readonly accountAddr: Uint8Array
  readonly transactions: AccountTransactions
  readonly stateUpdate: HashUpdate
}

/**
 * acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
 *   state_update:^(HASH_UPDATE Account) = AccountBlock;
 */
export const readAccountBlock = (r: CellReader): AccountBlock => {
  r.expectTag(0x5, 4)
  return {
    accountAddr: r.readBytes(32),
    transactions: readInlineAugDict(r, accountTransactionsType),
    stateUpdate: readWholeRef(r, readHashUpdate, 'A hash update'),
  }
}

export const writeAccountBlock = (w: CellWriter, { accountAddr, transactions, stateUpdate }: AccountBlock): void => {
  w.writeUint(0x5, 4).writeBytes(accountAddr)
  writeInlineAugDict(w, transactions)
  w.writeRef(writeWhole(writeHashUpdate, stateUpdate))
}

/** ShardAccountBlocks: account blocks by account id, with all their fees summed up. */
export type AccountBlocks = AugDict<Uint8Array, AccountBlock, CurrencyCollection>

/** _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks; */
export const accountBlocksType: AugDictType<Uint8Array, AccountBlock, CurrencyCollection> = {
  key: hashKey,
  value: { read: readAccountBlock, write: writeAccountBlock },
  extra: {
    codec: currencyCollectionCodec,
    empty: ZERO_CURRENCY,
    combine: addCurrency,
    ofLeaf: (block) => block.transactions.rootExtra,
  },
}
