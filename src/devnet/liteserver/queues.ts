import { AugDict } from '../../codec/cell/AugDict.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { findEntry, visitEntries } from '../../codec/cell/Dict.ts'
import type {
  LiteServerAccountDispatchQueueInfo,
  LiteServerDispatchQueueMessage,
  LiteServerGetDispatchQueueMessages,
  LiteServerTransactionMetadata,
} from '../../codec/tl/liteServerTypes.ts'
import { openMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import {
  type AccountDispatchQueue,
  type DispatchQueue,
  dispatchQueueType,
  type OutMsgQueueExtra,
  openOutMsgQueueInfo,
} from '../../codec/tlb/OutMsgQueueInfo.ts'
import { type BlockIdExt, isValidBlockIdExt } from '../../primitives/BlockId.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import { proveState } from '../store/prove.ts'
import {
  type BlockAndState,
  encodeStateProof,
  getState,
  loadBlockAndState,
  NO_BLOCK,
  newestMaster,
  openState,
} from './blockAccess.ts'
import { encodeList, type LiteFunction, LiteserverError, REQUEST_ERROR } from './LiteFunction.ts'
import { toMetadata } from './transactions.ts'

/** What a state says of its queues besides the queue to other shards; old networks say nothing. */
const openQueueExtra = (state: Cell): OutMsgQueueExtra | undefined =>
  openOutMsgQueueInfo(openState(state).outMsgQueueInfo).extra

/** Messages that wait to be emitted. */
const openDispatchQueue = (state: Cell): DispatchQueue =>
  openQueueExtra(state)?.dispatchQueue ?? AugDict.of(dispatchQueueType)

/** Reads the state after a block, and proves the reading where that is wanted. */
const readProven = <T>(
  { root, state }: BlockAndState,
  isProofWanted: boolean,
  read: (state: Cell) => T,
): { readonly value: T; readonly proof: Uint8Array | undefined } => {
  if (!isProofWanted) return { value: read(state), proof: undefined }
  const { value, proof } = proveState(state, read)
  return { value, proof: encodeStateProof(root, proof) }
}

const WITH_PROOF = 1

/** How many messages wait, after a block, to leave its shard. */
export const getBlockOutMsgQueueSize: LiteFunction<'liteServer.getBlockOutMsgQueueSize'> = (
  { store },
  { mode, id },
) => {
  if (!isValidBlockIdExt(id)) throw new LiteserverError(REQUEST_ERROR, 'invalid BlockIdExt')
  const { value: size, proof } = readProven(
    loadBlockAndState(store, id),
    (mode & WITH_PROOF) !== 0,
    (state) => openQueueExtra(state)?.outQueueSize,
  )
  if (size === undefined) throw new LiteserverError(REQUEST_ERROR, 'no out_msg_queue_size in shard state')
  return { mode, id, size: BigInt(size), proof }
}

/** Where a shard's queue is longer, blocks of it take no messages from outside. */
const SKIP_EXTERNALS_QUEUE_SIZE = 8000

/** How many messages wait to leave each shard, as of the newest block; of those that share accounts with a given one. */
export const getOutMsgQueueSizes: LiteFunction<'liteServer.getOutMsgQueueSizes'> = ({ store }, { wc, shard }) => {
  const isWanted = (id: BlockIdExt): boolean =>
    wc === undefined ||
    shard === undefined ||
    (id.workchain === wc && (isShardAncestor(id.shard, shard) || isShardAncestor(shard, id.shard)))
  const blocks = [newestMaster(store), ...store.shardTops].filter(isWanted)
  return {
    shards: blocks.map((id) => ({ id, size: countMessages(getState(store, id)) })),
    extMsgQueueSizeLimit: SKIP_EXTERNALS_QUEUE_SIZE,
  }
}

/** Old networks do not keep count. */
const countMessages = (state: Cell): number => {
  const { outQueue, extra } = openOutMsgQueueInfo(openState(state).outMsgQueueInfo)
  if (extra?.outQueueSize !== undefined) return extra.outQueueSize
  let size = 0
  outQueue.forEach(() => void size++)
  return size
}

const MAX_ACCOUNTS = 64

/** The accounts whose messages wait to be emitted. Unlike other pages, this one looks whether something follows it. */
export const getDispatchQueueInfo: LiteFunction<'liteServer.getDispatchQueueInfo'> = ({ store }, request) => {
  const { mode, id, afterAddr, maxAccounts } = request
  if (!isValidBlockIdExt(id)) throw new LiteserverError(REQUEST_ERROR, 'invalid BlockIdExt')
  if (maxAccounts <= 0) throw new LiteserverError(REQUEST_ERROR, 'invalid max_accounts')
  const { value, proof } = readProven(loadBlockAndState(store, id), (mode & WITH_PROOF) !== 0, (state) =>
    readAccounts(openDispatchQueue(state), afterAddr, Math.min(maxAccounts, MAX_ACCOUNTS)),
  )
  return { mode, id, accountDispatchQueues: value.accounts, complete: value.isComplete, proof }
}

const readAccounts = (queue: DispatchQueue, after: Uint8Array | undefined, limit: number) => {
  const accounts: LiteServerAccountDispatchQueueInfo[] = []
  const isComplete = visitEntries(queue, after === undefined ? {} : { after }, (addr, own) => {
    if (accounts.length === limit) return false
    accounts.push({ addr, size: BigInt(own.count), ...readTimes(own) })
    return true
  })
  return { accounts, isComplete }
}

const readTimes = ({ messages }: AccountDispatchQueue): { readonly minLt: bigint; readonly maxLt: bigint } => {
  const [minLt] = findEntry(messages, {}) ?? [0n]
  const [maxLt] = findEntry(messages, { reverse: true }) ?? [0n]
  return { minLt: BigInt.asIntN(64, minLt), maxLt: BigInt.asIntN(64, maxLt) }
}

const ONE_ACCOUNT = 2
const WITH_MESSAGES = 4
const MAX_MESSAGES = 64
const MAX_WHOLE_MESSAGES = 16

/** How answers say that a message has no metadata. */
const NO_METADATA: LiteServerTransactionMetadata = {
  mode: 0,
  depth: -1,
  initiator: { workchain: NO_BLOCK.workchain, id: NO_BLOCK.rootHash },
  initiatorLt: -1n,
}

type WaitingMessage = { readonly entry: LiteServerDispatchQueueMessage; readonly message: Cell }
type MessagesRequest = Pick<LiteServerGetDispatchQueueMessages, 'mode' | 'addr' | 'afterLt' | 'maxMessages'>

/** Messages that wait to be emitted, from an account on. */
export const getDispatchQueueMessages: LiteFunction<'liteServer.getDispatchQueueMessages'> = ({ store }, request) => {
  const { mode, id, maxMessages } = request
  if (!isValidBlockIdExt(id)) throw new LiteserverError(REQUEST_ERROR, 'invalid BlockIdExt')
  if (maxMessages <= 0) throw new LiteserverError(REQUEST_ERROR, 'invalid max_messages')
  const { value, proof } = readProven(loadBlockAndState(store, id), (mode & WITH_PROOF) !== 0, (state) =>
    readMessages(openDispatchQueue(state), request),
  )
  return {
    mode,
    id,
    messages: value.messages.map(({ entry }) => entry),
    complete: value.isComplete,
    proof,
    messagesBoc: (mode & WITH_MESSAGES) === 0 ? undefined : encodeList(value.messages.map(({ message }) => message)),
  }
}

/** A full page does not look whether another account follows; but within an account, the message after it is looked up. */
const readMessages = (queue: DispatchQueue, { mode, addr, afterLt, maxMessages }: MessagesRequest) => {
  const limit = Math.min(maxMessages, (mode & WITH_MESSAGES) === 0 ? MAX_MESSAGES : MAX_WHOLE_MESSAGES)
  const isOneAccount = (mode & ONE_ACCOUNT) !== 0
  const messages: WaitingMessage[] = []
  const addFrom = (account: Uint8Array, own: AccountDispatchQueue, after: bigint): boolean => {
    visitEntries(own.messages, { after }, (lt, { outMsg }) => {
      if (messages.length === limit) return false
      messages.push(readWaiting(account, lt, outMsg))
      return true
    })
    return messages.length < limit
  }
  const first = queue.find(addr)
  // The time given counts for the account that is met first, be it the one given or the next after it.
  let after = afterLt > 0n ? afterLt : 0n
  const isComplete =
    (first === undefined || addFrom(addr, first, after)) &&
    visitEntries(queue, { after: addr }, (account, own) => {
      if (isOneAccount) return false
      const goesOn = addFrom(account, own, first === undefined ? after : 0n)
      after = 0n
      return goesOn
    })
  return { messages, isComplete: isComplete || (isOneAccount && messages.length < limit) }
}

const readWaiting = (addr: Uint8Array, lt: bigint, envelope: Cell): WaitingMessage => {
  const opened = openMsgEnvelope(envelope)
  const metadata = toMetadata(opened) ?? NO_METADATA
  return { entry: { addr, lt: BigInt.asIntN(64, lt), hash: opened.msg.hash(), metadata }, message: opened.msg }
}
