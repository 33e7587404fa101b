import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { visitEntries } from '../../codec/cell/Dict.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type {
  LiteServerListBlockTransactions,
  LiteServerTransactionId,
  LiteServerTransactionMetadata,
} from '../../codec/tl/liteServerTypes.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { openInMsgDescr } from '../../codec/tlb/InMsgDescr.ts'
import type { MsgAddressInt } from '../../codec/tlb/MsgAddress.ts'
import { type MsgEnvelope, openMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import type { AccountBlock, AccountBlocks } from '../../codec/tlb/Transaction.ts'
import { type BlockIdExt, isValidBlockIdExt } from '../../primitives/BlockId.ts'
import { getU64BE, replaceLeadingBits } from '../../primitives/bytes.ts'
import { toUpperHex } from '../../primitives/hex.ts'
import { shardContains } from '../../primitives/shard.ts'
import { prove } from '../store/prove.ts'
import { loadBlock, NO_BLOCK } from './blockAccess.ts'
import { explainNotFound } from './blocks.ts'
import { encodeList, type LiteFunction, LiteserverError, REQUEST_ERROR } from './LiteFunction.ts'

/** The transaction of an account in a block; a time outside of the block's own is not looked for. */
const findTransaction = (root: Cell, account: Uint8Array, lt: bigint): Cell | undefined => {
  const { info, extra } = openBlock(root)
  const { startLt, endLt } = openBlockInfo(info)
  if (lt <= startLt || lt >= endLt) return undefined
  return openAccountBlocks(openBlockExtra(extra)).find(account)?.transactions.find(lt)
}

/** A transaction by its account and time in a block, or the proof that the block has none such. */
export const getOneTransaction: LiteFunction<'liteServer.getOneTransaction'> = ({ store }, { id, account, lt }) => {
  if (!isValidBlockIdExt(id)) throw new LiteserverError(REQUEST_ERROR, 'block id in getOneTransaction() is invalid')
  if (id.workchain !== account.workchain || !shardContains(id.shard, getU64BE(account.id, 0))) {
    throw new LiteserverError(
      REQUEST_ERROR,
      'requested account id is not contained in the shard of the specified block',
    )
  }
  const { value: transaction, proof } = prove(loadBlock(store, id), (root) =>
    findTransaction(root, account.id, BigInt.asUintN(64, lt)),
  )
  return {
    id,
    proof: encodeBoc([proof]),
    transaction: transaction === undefined ? new Uint8Array() : encodeBoc([transaction]),
  }
}

const MAX_ACCOUNT_TRANSACTIONS = 16

/** Transactions of an account, newest first: each names the one before it. One that cannot be found ends the list. */
export const getTransactions: LiteFunction<'liteServer.getTransactions'> = ({ store }, request) => {
  const { workchain, id: account } = request.account
  if (workchain === NO_BLOCK.workchain) throw new LiteserverError(REQUEST_ERROR, 'invalid workchain specified')
  const limit = Math.min(request.count, MAX_ACCOUNT_TRANSACTIONS)
  const prefix = getU64BE(account, 0)
  const ids: BlockIdExt[] = []
  const transactions: Cell[] = []
  let next = { lt: BigInt.asUintN(64, request.lt), hash: request.hash }
  while (transactions.length < limit && next.lt !== 0n) {
    const block = store.index.findByLt(workchain, prefix, next.lt)
    const transaction = block && findTransaction(store.getRoot(block.id), account, next.lt)
    if (block === undefined || transaction === undefined) {
      if (transactions.length > 0) break
      if (block !== undefined) refuse('cannot locate transaction in block with specified logical time')
      const reason = explainNotFound(store, workchain, prefix, 'lt', next.lt)
      return refuse(`cannot compute block with specified transaction: ${reason}`)
    }
    if (!transaction.hasHash(next.hash)) refuse('transaction hash mismatch')
    ids.push(block.id)
    transactions.push(transaction)
    next = readPrevious(transaction)
  }
  return { ids, transactions: encodeList(transactions) }
}

const refuse = (text: string): never => {
  throw new LiteserverError(REQUEST_ERROR, text)
}

/** transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 … */
const readPrevious = (transaction: Cell): { readonly lt: bigint; readonly hash: Uint8Array } => {
  const r = openCell(transaction)
  r.skipBits(4 + 256 + 64)
  const hash = r.readBytes(32)
  return { lt: r.readUint64(), hash }
}

/** The envelope of the message that a transaction received: those from outside have none, and some have no message at all. */
const findInMsgEnvelope = (inMsgDescr: Cell, transaction: Cell): Cell | undefined => {
  const inMsgs = openInMsgDescr(inMsgDescr)
  const message = openCell(transaction).readRef().readMaybeRefCell()
  if (message === undefined) return undefined
  const inMsg = inMsgs.find(message.hash())
  if (inMsg === undefined) {
    throw new LiteserverError(0, `no InMsg in InMsgDescr for message with hash ${toUpperHex(message.hash())}`)
  }
  switch (inMsg.kind) {
    case 'immediate':
    case 'final':
    case 'deferredFinal':
      return inMsg.inMsg
    default:
      return undefined
  }
}

/** What an envelope says of the transaction that set all off, in the form of answers. */
export const toMetadata = ({ metadata }: MsgEnvelope): LiteServerTransactionMetadata | undefined =>
  metadata === undefined
    ? undefined
    : {
        mode: 0,
        depth: metadata.depth | 0,
        initiator: { workchain: metadata.initiatorAddr.workchain, id: accountOf(metadata.initiatorAddr) },
        initiatorLt: BigInt.asIntN(64, metadata.initiatorLt),
      }

const findInMsgMetadata = (inMsgDescr: Cell, transaction: Cell): LiteServerTransactionMetadata | undefined => {
  const envelope = findInMsgEnvelope(inMsgDescr, transaction)
  return envelope === undefined ? undefined : toMetadata(openMsgEnvelope(envelope))
}

const accountOf = (address: MsgAddressInt): Uint8Array => {
  const hash = address.kind === 'std' ? address.hash : address.value
  if (address.kind === 'var' && address.bits !== 256) throw new LiteserverError(0, 'failed to unpack MsgEnvelope')
  const { anycast } = address
  return anycast === undefined ? hash : replaceLeadingBits(hash, anycast.prefix, anycast.depth)
}

type ListedTransaction = { readonly account: Uint8Array; readonly lt: bigint; readonly transaction: Cell }

export type TransactionPage = {
  readonly transactions: readonly ListedTransaction[]
  /** The end was met. A page that is full has not looked for it. */
  readonly isComplete: boolean
  /** Root of the incoming messages of the block. */
  readonly inMsgDescr: Cell
}

export type PageRequest = Pick<LiteServerListBlockTransactions, 'mode' | 'count' | 'after'>

const WITH_PROOF = 32
const REVERSE_ORDER = 64
const WITH_METADATA = 256

const MAX_BLOCK_TRANSACTIONS = 256

/** The transactions of a block by account, then by time; nothing is entered behind the last one of the page. */
const readTransactionPage = (root: Cell, request: PageRequest): TransactionPage => {
  const extra = openBlockExtra(openBlock(root).extra)
  return { ...readPage(openAccountBlocks(extra), request), inMsgDescr: extra.inMsgDescr }
}

const readPage = (
  accounts: AccountBlocks,
  { mode, count, after }: PageRequest,
): Omit<TransactionPage, 'inMsgDescr'> => {
  // The count is a signed number to the node.
  const limit = Math.min(count | 0, MAX_BLOCK_TRANSACTIONS)
  const reverse = (mode & REVERSE_ORDER) !== 0
  const transactions: ListedTransaction[] = []
  if (limit <= 0) return { transactions, isComplete: false }
  const add = (account: Uint8Array, lt: bigint, transaction: Cell): boolean =>
    transactions.push({ account, lt, transaction }) < limit
  const addAll = (account: Uint8Array, block: AccountBlock): boolean =>
    visitEntries(block.transactions, { reverse }, (lt, transaction) => add(account, lt, transaction))
  if (after === undefined) return { transactions, isComplete: visitEntries(accounts, { reverse }, addAll) }
  // The account that the last page ended with may have more.
  const last = { reverse, after: BigInt.asUintN(64, after.lt) }
  const own = accounts.find(after.account)
  const isComplete =
    (own === undefined ||
      visitEntries(own.transactions, last, (lt, transaction) => add(after.account, lt, transaction))) &&
    visitEntries(accounts, { reverse, after: after.account }, addAll)
  return { transactions, isComplete }
}

const HAS_ACCOUNT = 1
const HAS_LT = 2
const HAS_HASH = 4

/** A page of the transactions in a block, by what names them. */
export const listBlockTransactions: LiteFunction<'liteServer.listBlockTransactions'> = ({ store }, request) => {
  const { id, mode, count } = request
  const read = (root: Cell) => {
    const { transactions, isComplete, inMsgDescr } = readTransactionPage(root, request)
    return { ids: transactions.map((listed) => toTransactionId(listed, mode, inMsgDescr)), isComplete }
  }
  const root = loadBlock(store, id)
  const { value, proof } = (mode & WITH_PROOF) === 0 ? { value: read(root), proof: undefined } : prove(root, read)
  return {
    id,
    reqCount: count,
    incomplete: !value.isComplete,
    ids: value.ids,
    proof: proof === undefined ? new Uint8Array() : encodeBoc([proof]),
  }
}

/** All bits of the request are repeated in every entry; the one for metadata is set where there is some. */
const toTransactionId = (
  { account, lt, transaction }: ListedTransaction,
  mode: number,
  inMsgDescr: Cell,
): LiteServerTransactionId => {
  const metadata = (mode & WITH_METADATA) === 0 ? undefined : findInMsgMetadata(inMsgDescr, transaction)
  return {
    mode: (mode & ~WITH_METADATA) >>> 0,
    account: (mode & HAS_ACCOUNT) === 0 ? undefined : account,
    lt: (mode & HAS_LT) === 0 ? undefined : BigInt.asIntN(64, lt),
    hash: (mode & HAS_HASH) === 0 ? undefined : transaction.hash(),
    metadata,
  }
}

/** A page of the transactions in a block, whole. To ask for metadata is to ask for a proof that holds them. */
export const listBlockTransactionsExt: LiteFunction<'liteServer.listBlockTransactionsExt'> = ({ store }, request) => {
  const { id, mode, count } = request
  const read = (root: Cell) => {
    const page = readTransactionPage(root, request)
    if ((mode & WITH_METADATA) !== 0) {
      openCell(page.inMsgDescr)
      for (const { transaction } of page.transactions) {
        const envelope = findInMsgEnvelope(page.inMsgDescr, transaction)
        if (envelope !== undefined) openCell(envelope)
      }
    }
    return page
  }
  const root = loadBlock(store, id)
  const isProven = (mode & (WITH_PROOF | WITH_METADATA)) !== 0
  const { value, proof } = isProven ? prove(root, read) : { value: read(root), proof: undefined }
  return {
    id,
    reqCount: count,
    incomplete: !value.isComplete,
    transactions: encodeList(value.transactions.map(({ transaction }) => transaction)),
    proof: proof === undefined ? new Uint8Array() : encodeBoc([proof]),
  }
}
