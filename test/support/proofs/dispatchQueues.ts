import { ProofFailedError } from '../../../src/chain/errors.ts'
import { AugDict } from '../../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { takeEntries, visitEntries } from '../../../src/codec/cell/Dict.ts'
import type {
  LiteServerAccountDispatchQueueInfo,
  LiteServerDispatchQueueMessage,
  LiteServerGetDispatchQueueMessages,
  LiteServerTransactionMetadata,
} from '../../../src/codec/tl/liteServerTypes.ts'
import { openMsgEnvelope } from '../../../src/codec/tlb/MsgEnvelope.ts'
import {
  type AccountDispatchQueue,
  type DispatchQueue,
  dispatchQueueType,
  type EnqueuedMsg,
} from '../../../src/codec/tlb/OutMsgQueueInfo.ts'
import type { MessageMetadata } from '../../../src/node/proofs/blockTransactionProofs.ts'
import { messageMetadata, statesMetadata } from '../../../src/node/proofs/blockTransactionProofs.ts'
import { unwrapQueues } from '../../../src/node/proofs/queueProofs.ts'
import { decodeList, expectBlock, proving } from '../../../src/node/proofs/unwrapProof.ts'
import type { BlockIdExt } from '../../../src/primitives/BlockId.ts'
import { bytesEqual } from '../../../src/primitives/bytes.ts'
import type {
  LiteServerDispatchQueueInfo,
  LiteServerDispatchQueueMessages,
  LiteServerGetDispatchQueueInfo,
} from '../liteServerAnswers.ts'

/** The dispatch queue of one account. */
export type WaitingMessages = {
  readonly account: Uint8Array
  readonly size: number
  readonly minLt: bigint
  readonly maxLt: bigint
}

export type WaitingMessage = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly metadata: MessageMetadata | undefined
  /** The Message; absent if not requested. */
  readonly message: Cell | undefined
}

/** The answer to getDispatchQueueInfo for a trusted block, with the proof asked for (mode bit 0). */
export const verifyDispatchQueueInfo = (
  trusted: BlockIdExt,
  request: DispatchRequest,
  answer: LiteServerDispatchQueueInfo,
  skipProofChecks = false,
): ProvenDispatchQueue => {
  expectBlock('The block of a dispatch queue', trusted, answer.id)
  if (answer.proof === undefined)
    throw new ProofFailedError('The proof of a dispatch queue is missing from the answer.')
  const queue = unwrapDispatchQueue(trusted, answer.proof, skipProofChecks)
  const { accounts, isComplete } = proving('a dispatch queue', () => readAccounts(queue, request))
  const stated = answer.accountDispatchQueues
  if (stated.length !== accounts.length || !stated.every((each, k) => matchesInfo(each, accounts[k]!))) {
    throw new ProofFailedError('The accounts in a dispatch queue are others than the proven ones.')
  }
  if (answer.complete !== isComplete) {
    throw new ProofFailedError('The answer is wrong about whether more accounts follow in a dispatch queue.')
  }
  return { block: trusted, accounts, isComplete }
}

export type ProvenDispatchQueue = {
  readonly block: BlockIdExt
  /** By account. */
  readonly accounts: readonly WaitingMessages[]
  readonly isComplete: boolean
}

/** The answer to getDispatchQueueMessages for a trusted block, with the proof asked for (mode bit 0). */
export const verifyDispatchQueueMessages = (
  trusted: BlockIdExt,
  request: MessagesRequest,
  answer: LiteServerDispatchQueueMessages,
  skipProofChecks = false,
): ProvenWaitingMessages => {
  expectBlock('The block of a dispatch queue', trusted, answer.id)
  if (answer.proof === undefined)
    throw new ProofFailedError('The proof of a dispatch queue is missing from the answer.')
  const queue = unwrapDispatchQueue(trusted, answer.proof, skipProofChecks)
  const { messages, isComplete } = proving('a dispatch queue', () => readPage(queue, request))
  if (
    answer.messages.length !== messages.length ||
    !answer.messages.every((each, k) => matchesMessage(each, messages[k]!))
  ) {
    throw new ProofFailedError('The messages in a dispatch queue are others than the proven ones.')
  }
  if (answer.complete !== isComplete) {
    throw new ProofFailedError('The answer is wrong about whether more messages follow in a dispatch queue.')
  }
  return { block: trusted, messages: withBodies(messages, request, answer.messagesBoc), isComplete }
}

export type ProvenWaitingMessages = {
  readonly block: BlockIdExt
  /** By account, then by time. */
  readonly messages: readonly WaitingMessage[]
  /** The end was seen: never so on a full page. */
  readonly isComplete: boolean
}

/** The dispatch queue. A state without one has no such messages. */
const unwrapDispatchQueue = (trusted: BlockIdExt, proof: Uint8Array, skipProofChecks: boolean): DispatchQueue =>
  unwrapQueues(trusted, proof, skipProofChecks).extra?.dispatchQueue ?? AugDict.of(dispatchQueueType)

const readAccounts = (queue: DispatchQueue, { mode, afterAddr, maxAccounts }: DispatchRequest) => {
  const limit = Math.min(maxAccounts, MAX_ACCOUNTS)
  const walk = (mode & AFTER_ADDR) !== 0 && afterAddr !== undefined ? { after: afterAddr } : {}
  // Unlike other pages, this one shows whether something follows.
  const entries = takeEntries(queue, limit + 1, walk)
  const accounts = entries.slice(0, limit).map(([account, own]) => readAccount(queue, account, own))
  return { accounts, isComplete: entries.length <= limit }
}

const readAccount = (queue: DispatchQueue, account: Uint8Array, own: AccountDispatchQueue): WaitingMessages => {
  const [first] = takeEntries(own.messages, 1)
  const [last] = takeEntries(own.messages, 1, { reverse: true })
  if (first === undefined || last === undefined || queue.findLeaf(account)?.extra !== first[0]) {
    throw new ProofFailedError('The queue of an account does not begin at the time that is stated for it.')
  }
  return { account, size: own.count, minLt: first[0], maxLt: last[0] }
}

const matchesInfo = (stated: LiteServerAccountDispatchQueueInfo, proven: WaitingMessages): boolean =>
  bytesEqual(stated.addr, proven.account) &&
  stated.size === BigInt(proven.size) &&
  BigInt.asUintN(64, stated.minLt) === proven.minLt &&
  BigInt.asUintN(64, stated.maxLt) === proven.maxLt

const readPage = (queue: DispatchQueue, { mode, addr, afterLt, maxMessages }: MessagesRequest) => {
  const limit = Math.min(maxMessages, (mode & WITH_MESSAGES) === 0 ? MAX_MESSAGES : MAX_WHOLE_MESSAGES)
  const messages: WaitingMessage[] = []
  const add = (account: Uint8Array, lt: bigint, { outMsg }: EnqueuedMsg): boolean =>
    messages.push(readWaiting(account, lt, outMsg)) < limit
  const addAll = (account: Uint8Array, own: AccountDispatchQueue): boolean =>
    visitEntries(own.messages, {}, (lt, enqueued) => add(account, lt, enqueued))
  const first = queue.find(addr)
  const isComplete =
    (first === undefined ||
      visitEntries(first.messages, { after: BigInt.asUintN(64, afterLt) }, (lt, own) => add(addr, lt, own))) &&
    ((mode & ONE_ACCOUNT) !== 0 || visitEntries(queue, { after: addr }, addAll))
  return { messages, isComplete }
}

const readWaiting = (account: Uint8Array, lt: bigint, envelope: Cell): WaitingMessage => {
  const { msg, metadata } = openMsgEnvelope(envelope)
  return {
    account,
    lt,
    hash: msg.hash(0),
    metadata: metadata === undefined ? undefined : messageMetadata(metadata),
    message: undefined,
  }
}

const withBodies = (
  messages: readonly WaitingMessage[],
  { mode }: MessagesRequest,
  bytes: Uint8Array | undefined,
): readonly WaitingMessage[] => {
  if ((mode & WITH_MESSAGES) === 0) return messages
  if (bytes === undefined) throw new ProofFailedError('The messages of a dispatch queue are missing from the answer.')
  const cells = decodeList('the messages of a dispatch queue', bytes)
  if (cells.length !== messages.length || !cells.every((cell, k) => cell.hasHash(messages[k]!.hash))) {
    throw new ProofFailedError('The cells of the messages in a dispatch queue are others than the proven ones.')
  }
  return messages.map((each, k) => ({ ...each, message: cells[k] }))
}

const matchesMessage = (stated: LiteServerDispatchQueueMessage, proven: WaitingMessage): boolean =>
  bytesEqual(stated.addr, proven.account) &&
  BigInt.asUintN(64, stated.lt) === proven.lt &&
  bytesEqual(stated.hash, proven.hash) &&
  (proven.metadata === undefined ? isNoMetadata(stated.metadata) : statesMetadata(stated.metadata, proven.metadata))

/** Value of the field in an answer without metadata. */
const isNoMetadata = ({ depth, initiator, initiatorLt }: LiteServerTransactionMetadata): boolean =>
  depth === -1 &&
  initiator.workchain === -0x8000_0000 &&
  initiator.id.every((byte) => byte === 0) &&
  initiatorLt === -1n

const MAX_ACCOUNTS = 64

const AFTER_ADDR = 2

type DispatchRequest = Pick<LiteServerGetDispatchQueueInfo, 'mode' | 'afterAddr' | 'maxAccounts'>

const MAX_MESSAGES = 64

const MAX_WHOLE_MESSAGES = 16

const ONE_ACCOUNT = 2

const WITH_MESSAGES = 4

type MessagesRequest = Pick<LiteServerGetDispatchQueueMessages, 'mode' | 'addr' | 'afterLt' | 'maxMessages'>
