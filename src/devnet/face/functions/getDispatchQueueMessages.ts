import type { Cell } from '../../../codec/cell/Cell.ts'
import { visitEntries } from '../../../codec/cell/Dict.ts'
import type {
  LiteServerDispatchQueueMessage,
  LiteServerGetDispatchQueueMessages,
  LiteServerTransactionMetadata,
} from '../../../codec/tl/liteServerTypes.ts'
import { openMsgEnvelope } from '../../../codec/tlb/MsgEnvelope.ts'
import type { AccountDispatchQueue, DispatchQueue } from '../../../codec/tlb/OutMsgQueueInfo.ts'
import { isValidBlockIdExt } from '../../../primitives/BlockId.ts'
import { encodeList } from '../encodeList.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { toMetadata } from '../messageMetadata.ts'
import { openDispatchQueue, readProven } from '../messageQueues.ts'
import { loadBlockAndState, NO_BLOCK } from '../referenceBlock.ts'

const WITH_PROOF = 1
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
type MessagesQuestion = Pick<LiteServerGetDispatchQueueMessages, 'mode' | 'addr' | 'afterLt' | 'maxMessages'>

/** Messages that wait to be emitted, from an account on. */
export const getDispatchQueueMessages: LiteFunction<'liteServer.getDispatchQueueMessages'> = ({ store }, question) => {
  const { mode, id, maxMessages } = question
  if (!isValidBlockIdExt(id)) throw new LiteRefusal(REQUEST_ERROR, 'invalid BlockIdExt')
  if (maxMessages <= 0) throw new LiteRefusal(REQUEST_ERROR, 'invalid max_messages')
  const { value, proof } = readProven(loadBlockAndState(store, id), (mode & WITH_PROOF) !== 0, (state) =>
    readPage(openDispatchQueue(state), question),
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
const readPage = (queue: DispatchQueue, { mode, addr, afterLt, maxMessages }: MessagesQuestion) => {
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
