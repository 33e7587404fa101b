import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { visitEntries } from '../../codec/cell/Dict.ts'
import type {
  LiteServerDispatchQueueMessage,
  LiteServerDispatchQueueMessages,
  LiteServerGetDispatchQueueMessages,
  LiteServerTransactionMetadata,
} from '../../codec/tl/liteServerTypes.ts'
import { openMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import type { AccountDispatchQueue, DispatchQueue, EnqueuedMsg } from '../../codec/tlb/OutMsgQueueInfo.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { expectBlock } from './blockIds.ts'
import { unwrapDispatchQueue } from './dispatchQueue.ts'
import { type MessageMetadata, messageMetadata, statesMetadata } from './messageMetadata.ts'
import { proving } from './proving.ts'
import { decodeList } from './unwrapProof.ts'

const MAX_MESSAGES = 64
const MAX_WHOLE_MESSAGES = 16
const ONE_ACCOUNT = 2
const WITH_MESSAGES = 4

export type WaitingMessage = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly metadata: MessageMetadata | undefined
  /** The Message; absent where the question did not ask for it. */
  readonly message: Cell | undefined
}

export type ProvenWaitingMessages = {
  readonly block: BlockIdExt
  /** By account, then by time. */
  readonly messages: readonly WaitingMessage[]
  /** The end was seen: never so on a full page. */
  readonly isComplete: boolean
}

type MessagesQuestion = Pick<LiteServerGetDispatchQueueMessages, 'mode' | 'addr' | 'afterLt' | 'maxMessages'>

/** The answer to getDispatchQueueMessages for a trusted block, with the proof asked for (mode bit 0). */
export const verifyDispatchQueueMessages = (
  trusted: BlockIdExt,
  question: MessagesQuestion,
  answer: LiteServerDispatchQueueMessages,
  skipProofChecks = false,
): ProvenWaitingMessages => {
  expectBlock('The block of a dispatch queue', trusted, answer.id)
  if (answer.proof === undefined) throw new ProofFailedError('The proof of a dispatch queue did not come.')
  const queue = unwrapDispatchQueue(trusted, answer.proof, skipProofChecks)
  const { messages, isComplete } = proving('a dispatch queue', () => readPage(queue, question))
  if (answer.messages.length !== messages.length || !answer.messages.every((each, k) => states(each, messages[k]!))) {
    throw new ProofFailedError('The messages in a dispatch queue are others than the proven ones.')
  }
  if (answer.complete !== isComplete) {
    throw new ProofFailedError('The answer is wrong about whether more messages follow in a dispatch queue.')
  }
  return { block: trusted, messages: withBodies(messages, question, answer.messagesBoc), isComplete }
}

const readPage = (queue: DispatchQueue, { mode, addr, afterLt, maxMessages }: MessagesQuestion) => {
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
  { mode }: MessagesQuestion,
  bytes: Uint8Array | undefined,
): readonly WaitingMessage[] => {
  if ((mode & WITH_MESSAGES) === 0) return messages
  if (bytes === undefined) throw new ProofFailedError('The messages of a dispatch queue did not come.')
  const cells = decodeList('the messages of a dispatch queue', bytes)
  if (cells.length !== messages.length || !cells.every((cell, k) => cell.hasHash(messages[k]!.hash))) {
    throw new ProofFailedError('The cells of the messages in a dispatch queue are others than the proven ones.')
  }
  return messages.map((each, k) => ({ ...each, message: cells[k] }))
}

const states = (stated: LiteServerDispatchQueueMessage, proven: WaitingMessage): boolean =>
  bytesEqual(stated.addr, proven.account) &&
  BigInt.asUintN(64, stated.lt) === proven.lt &&
  bytesEqual(stated.hash, proven.hash) &&
  (proven.metadata === undefined ? isNoMetadata(stated.metadata) : statesMetadata(stated.metadata, proven.metadata))

/** How an answer, which always has the field, says that there is none. */
const isNoMetadata = ({ depth, initiator, initiatorLt }: LiteServerTransactionMetadata): boolean =>
  depth === -1 &&
  initiator.workchain === -0x8000_0000 &&
  initiator.id.every((byte) => byte === 0) &&
  initiatorLt === -1n
