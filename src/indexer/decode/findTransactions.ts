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

/** What a block shows of an account after its last transaction there. */
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

/** Whether a transaction that ended there left no account. */
const leavesNone = (stateHash: Uint8Array): boolean => accountNoneCell.hasHash(stateHash)

/** Reads an account from the state after a block. `stateHash` is where its last transaction says it ended. */
const readAccountAfter = (cell: Cell | undefined, stateHash: Uint8Array): AccountAfter => {
  if (leavesNone(stateHash)) return NONEXIST
  if (cell?.hasHash(stateHash, 0) !== true) {
    throw new CellError('The state after it has another account than the last transaction of that account led to.')
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
    // Parts that did not change are pruned, but their hashes are there.
    codeHash: init?.code?.hash(0),
    dataHash: init?.data?.hash(0),
  }
}

/** Amounts by the numbers of their currencies; `undefined` where there are none. */
export const toTexts = (extra: ExtraCurrencies): ExtraAmounts | undefined => {
  if (extra.isEmpty) return undefined
  // Amounts that a block takes over from the state before are not in its update of the state.
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

/** A block is not what blocks are. The bytes are those that the network agreed on, so another try does not help. */
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

/** A thread for decoding ended or could not be started; the unit that it had is to be given again. */
export class DecoderCrashedError extends CodedError {
  readonly code = 'decoder_crashed'
  override readonly retryable = true
}

/** More units were given than may wait. */
export class DecoderBusyError extends CodedError {
  readonly code = 'decoder_busy'
  override readonly retryable = true
}

export class DecoderClosedError extends CodedError {
  readonly code = 'decoder_closed'
}

/** A block with the parts that are indexed. */
export type BlockParts = {
  readonly id: BlockIdExt
  readonly globalId: number
  readonly info: BlockInfo
  readonly previous: readonly BlockIdExt[]
  readonly extra: BlockExtra
  /** The Merkle update of the state. */
  readonly stateUpdate: Cell
}

/** Opens a block whose bytes were compared with its file hash before. */
export const openBlockParts = ({ id, bytes }: RawBlock): BlockParts => {
  const block = openBlock(decodeSingleBoc(bytes, { trusted: true, skipChecksum: true }))
  const info = openBlockInfo(block.info)
  if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno) {
    throw new CellError(`It calls itself ${formatBlockId(info)}.`)
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

/** The accounts after a block, as far as its update of the state shows them: those with transactions in it are all there. */
const openAccountsAfter = ({ stateUpdate }: BlockParts): ShardAccounts => {
  const state = openShardState(readMerkleUpdate(stateUpdate).after)
  if (state.kind !== 'unsplit') throw new CellError('The state after a block is that of two shards.')
  return openShardAccounts(state.accounts)
}

/** Does something with a block; what is wrong with it is told with its name. */
export const naming = <T>(getId: () => BlockIdExt, work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause instanceof BlockUndecodableError) throw cause
    throw new BlockUndecodableError(getId(), cause.message, { cause })
  }
}

/** A transaction with its place, all but its messages and description read. */
export type FoundTransaction = {
  readonly block: BlockParts
  readonly cell: Cell
  /** 33 bytes. */
  readonly account: Uint8Array
  readonly lt: bigint
  /** The same, as near as a number comes to it. */
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
  /** Of the last transaction of an account in a block. */
  after: AccountAfter | undefined
  /** Its hash as the block states it, in the next transaction of the account or in the account after it. */
  statedHash: Uint8Array | undefined
}

/** As `readTransaction`, but the description stays a cell, as it is kept, and statuses the numbers that they are. */
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

/** The accounts whose transactions are kept, where not all are; by their keys of 33 bytes. */
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
 * Adds the transactions of a block by account, then lt; the last of each account with what it left. Those of accounts that are not
 * watched are left out. Each has the hash that the block states for it, where it does. Returns how many the block has in all.
 */
export const findTransactions = (
  block: BlockParts,
  found: FoundTransaction[],
  watched: WatchedAccounts | undefined,
): number => {
  const { workchain } = block.id
  // A block that changes no account does not show any.
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

/** Adds what the state after a block shows of the account of its last transaction there. */
const addAfter = (last: FoundTransaction, id: Uint8Array, getAccounts: () => ShardAccounts): void => {
  // Where there was no account before either, the block does not show its place.
  const shown = leavesNone(last.stateAfter) ? undefined : getAccounts().find(id)
  last.after = readAccountAfter(shown?.account, last.stateAfter)
  if (shown?.lastTransLt === last.lt) last.statedHash = shown.lastTransHash
}

/** By lt, then account: who sends comes before who receives, and equal units are in equal order. */
export const compareTransactions = (a: FoundTransaction, b: FoundTransaction): number => {
  // As numbers they compare faster; those that are equal as numbers may still differ.
  if (a.ltNumber !== b.ltNumber) return a.ltNumber - b.ltNumber
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
  return a.block.id.workchain - b.block.id.workchain || compareBytes(a.account, b.account)
}
