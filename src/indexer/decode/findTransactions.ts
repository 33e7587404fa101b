import { listPreviousBlocks } from '../../chain/shardBlocks.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { type Dict, readDict } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { CellError, PrunedBranchError } from '../../codec/cell/errors.ts'
import { PRUNED_BRANCH } from '../../codec/cell/exotic.ts'
import { readMerkleUpdate } from '../../codec/cell/merkle.ts'
import { accountNoneCell, openAccount } from '../../codec/tlb/Account.ts'
import { type BlockExtra, openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { type BlockInfo, openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import {
  type CurrencyCollection,
  type ExtraCurrencies,
  readCurrencyCollection,
} from '../../codec/tlb/CurrencyCollection.ts'
import { openShardAccounts, type ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState } from '../../codec/tlb/ShardState.ts'
import { outMsgsType } from '../../codec/tlb/Transaction.ts'
import { addressKeyOf } from '../../primitives/Address.ts'
import { type BlockId, type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { compareBytes } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { ExtraAmounts } from '../../store/schema/codes.ts'
import type { RawBlock, TouchedAccount } from '../blockSets.ts'

/** The account fields that a block shows after its last transaction there. */
export type AccountAfter = Pick<
  TouchedAccount,
  'status' | 'balance' | 'extraCurrencies' | 'frozenHash' | 'codeHash' | 'dataHash'
>

const NONEXIST: AccountAfter = {
  status: 'nonexist',
  balance: 0n,
  extraCurrencies: undefined,
  frozenHash: undefined,
  codeHash: undefined,
  dataHash: undefined,
}

/** Whether the transaction left no account. */
const leavesNone = (stateHash: Uint8Array): boolean => accountNoneCell.hasHash(stateHash)

/** Reads an account from the state after a block. `stateHash` is the state after its last transaction. */
const readAccountAfter = (cell: Cell | undefined, stateHash: Uint8Array): AccountAfter => {
  if (leavesNone(stateHash)) return NONEXIST
  if (cell?.hasHash(stateHash, 0) !== true) {
    throw new CellError('The state after the block does not match the last transaction of the account.')
  }
  const account = openAccount(cell)
  if (account.kind === 'none') return NONEXIST
  const { state } = account
  const init = state.kind === 'active' ? state.init : undefined
  return {
    status: state.kind,
    balance: account.balance.grams,
    extraCurrencies: toTexts(account.balance.extra),
    frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
    // Unchanged parts are pruned, but their hashes are there.
    codeHash: init?.code?.hash(0),
    dataHash: init?.data?.hash(0),
  }
}

/** Amounts by currency number; `undefined` if there are none. */
export const toTexts = (extra: ExtraCurrencies): ExtraAmounts | undefined => {
  if (extra.isEmpty) return undefined
  // A block's state update does not contain unchanged amounts.
  if (extra.root instanceof Cell && extra.root.exoticType === PRUNED_BRANCH) return 'unknown'
  const texts: Record<string, string> = {}
  try {
    extra.forEach((id, amount) => {
      texts[id] = amount.toString()
    })
  } catch (error) {
    if (error instanceof PrunedBranchError) return 'unknown'
    throw error
  }
  return texts
}

/** A block cannot be decoded. Its bytes are those that the network agreed on, so a retry does not help. */
export class BlockUndecodableError extends CodedError {
  readonly code = 'block_undecodable'

  readonly block: BlockId
  readonly reason: string

  constructor(block: BlockId, reason: string, options?: ErrorOptions) {
    super(`Block ${formatBlockId(block)} cannot be decoded: ${reason}`, options)
    this.block = block
    this.reason = reason
  }
}

/** A decoder thread ended or could not be started; its block set should be retried. */
export class DecoderCrashedError extends CodedError {
  readonly code = 'decoder_crashed'
  override readonly retryable = true
}

/** The queue of the decoder is full. */
export class DecoderBusyError extends CodedError {
  readonly code = 'decoder_busy'
  override readonly retryable = true
}

export class DecoderClosedError extends CodedError {
  readonly code = 'decoder_closed'
}

/** An opened block with the parts that are indexed. */
export type BlockParts = {
  readonly id: BlockIdExt
  readonly globalId: number
  readonly info: BlockInfo
  readonly previous: readonly BlockIdExt[]
  readonly extra: BlockExtra
  /** The Merkle update of the state. */
  readonly stateUpdate: Cell
}

/** Opens a block whose bytes match its file hash. */
export const openBlockParts = ({ id, bytes }: RawBlock): BlockParts => {
  const block = openBlock(decodeSingleBoc(bytes, { trusted: true, skipChecksum: true }))
  const info = openBlockInfo(block.info)
  if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno) {
    throw new CellError(`Its header says ${formatBlockId(info)}.`)
  }
  if ((id.workchain << 24) >> 24 !== id.workchain) {
    throw new CellError(`Workchains from -128 to 127 are indexed, this is ${id.workchain}.`)
  }
  return {
    id,
    globalId: block.globalId,
    info,
    previous: listPreviousBlocks(info),
    extra: openBlockExtra(block.extra),
    stateUpdate: block.stateUpdate,
  }
}

/** The accounts after a block, as far as its state update shows them: all those with transactions in it. */
const openAccountsAfter = ({ stateUpdate }: BlockParts): ShardAccounts => {
  const state = openShardState(readMerkleUpdate(stateUpdate).after)
  if (state.kind !== 'unsplit') throw new CellError('The state after the block is split.')
  return openShardAccounts(state.accounts)
}

/** Runs work on a block; errors name the block. */
export const naming = <T>(getId: () => BlockIdExt, work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause instanceof BlockUndecodableError) throw cause
    throw new BlockUndecodableError(getId(), cause.message, { cause })
  }
}

/** A transaction with its block and account; messages and description are not read yet. */
export type FoundTransaction = {
  readonly block: BlockParts
  readonly cell: Cell
  /** 33 bytes. */
  readonly account: Uint8Array
  readonly lt: bigint
  /** The same as a rounded number. */
  readonly ltNumber: number
  readonly prevHash: Uint8Array
  readonly prevLt: bigint
  readonly now: number
  readonly outMsgCount: number
  readonly origStatus: number
  readonly endStatus: number
  readonly inMsg: Cell | undefined
  readonly outMsgs: Dict<number, Cell>
  readonly totalFees: CurrencyCollection
  readonly stateBefore: Uint8Array
  readonly stateAfter: Uint8Array
  readonly description: Cell
  /** Only on the last transaction of an account in a block. */
  after: AccountAfter | undefined
  /** Its hash as stated by the next transaction of the account or the account after it. */
  statedHash: Uint8Array | undefined
}

/** Like `readTransaction`, but the description stays a cell, as stored, and statuses stay numbers. */
export const readFoundTransaction = (block: BlockParts, account: Uint8Array, cell: Cell): FoundTransaction => {
  const r = openCell(cell)
  r.expectTag(0b0111, 4)
  r.skipBits(256)
  const lt = r.readUint64()
  const prevHash = r.readBytes(32)
  const prevLt = r.readUint64()
  const now = r.readUint(32)
  const outMsgCount = r.readUint(15)
  const origStatus = r.readUint(2)
  const endStatus = r.readUint(2)
  const messages = r.readRef()
  const inMsg = messages.readMaybeRefCell()
  const outMsgs = readDict(messages, outMsgsType)
  const totalFees = readCurrencyCollection(r)
  const update = openHashUpdate(r)
  return {
    block,
    cell,
    account,
    lt,
    ltNumber: Number(lt),
    prevHash,
    prevLt,
    now,
    outMsgCount,
    origStatus,
    endStatus,
    inMsg,
    outMsgs,
    totalFees,
    stateBefore: update.readBytes(32),
    stateAfter: update.readBytes(32),
    description: r.readRefCell(),
    after: undefined,
    statedHash: undefined,
  }
}

/** update_hashes#72 */
const openHashUpdate = (r: CellReader): CellReader => {
  const update = r.readRef()
  update.expectTag(0x72, 8)
  return update
}

/** The watched accounts, by 33-byte key. */
export class WatchedAccounts {
  private readonly keys: ReadonlySet<string>

  constructor(keys: readonly Uint8Array[]) {
    this.keys = new Set(keys.map(textOf))
  }

  has(key: Uint8Array): boolean {
    return this.keys.has(textOf(key))
  }
}

const textOf = (key: Uint8Array): string => Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')

/**
 * Collects the transactions of a block by account, then lt; the last of each account with its resulting state. Skips accounts
 * that are not watched. Each has its stated hash, if any. Returns the total number in the block.
 */
export const findTransactions = (
  block: BlockParts,
  found: FoundTransaction[],
  watched: WatchedAccounts | undefined,
): number => {
  const { workchain } = block.id
  // A block that changes no account shows none.
  let accounts: ShardAccounts | undefined
  let count = 0
  const getAccounts = (): ShardAccounts => {
    accounts ??= openAccountsAfter(block)
    return accounts
  }
  openAccountBlocks(block.extra).forEach((id, { transactions }) => {
    const account = addressKeyOf({ workchain, hash: id })
    const isKept = watched === undefined || watched.has(account)
    let last: FoundTransaction | undefined
    transactions.forEach((_lt, cell) => {
      count++
      if (!isKept) return
      const next = readFoundTransaction(block, account, cell)
      if (last !== undefined && next.prevLt === last.lt) last.statedHash = next.prevHash
      last = next
      found.push(next)
    })
    if (last !== undefined) addAfter(last, id, getAccounts)
  })
  return count
}

/** Adds the account state after the block to its last transaction there. */
const addAfter = (last: FoundTransaction, id: Uint8Array, getAccounts: () => ShardAccounts): void => {
  // If there was no account before either, the block does not show its position.
  const shown = leavesNone(last.stateAfter) ? undefined : getAccounts().find(id)
  last.after = readAccountAfter(shown?.account, last.stateAfter)
  if (shown?.lastTransLt === last.lt) last.statedHash = shown.lastTransHash
}

/** By lt, then account: senders precede receivers, and the order is deterministic. */
export const compareTransactions = (a: FoundTransaction, b: FoundTransaction): number => {
  // Numbers compare faster; equal numbers may still differ as bigints.
  if (a.ltNumber !== b.ltNumber) return a.ltNumber - b.ltNumber
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
  return a.block.id.workchain - b.block.id.workchain || compareBytes(a.account, b.account)
}
