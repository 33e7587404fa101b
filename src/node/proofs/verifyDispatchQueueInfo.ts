import { ProofFailedError } from '../../chain/errors.ts'
import { takeEntries } from '../../codec/cell/Dict.ts'
import type {
  LiteServerAccountDispatchQueueInfo,
  LiteServerDispatchQueueInfo,
  LiteServerGetDispatchQueueInfo,
} from '../../codec/tl/liteServerTypes.ts'
import type { AccountDispatchQueue, DispatchQueue } from '../../codec/tlb/OutMsgQueueInfo.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { expectBlock } from './blockIds.ts'
import { unwrapDispatchQueue } from './dispatchQueue.ts'
import { proving } from './proving.ts'

const MAX_ACCOUNTS = 64
const AFTER_ADDR = 2

/** What waits to be emitted for one account. */
export type WaitingMessages = {
  readonly account: Uint8Array
  readonly size: number
  readonly minLt: bigint
  readonly maxLt: bigint
}

export type ProvenDispatchQueue = {
  readonly block: BlockIdExt
  /** By account. */
  readonly accounts: readonly WaitingMessages[]
  readonly isComplete: boolean
}

type DispatchQuestion = Pick<LiteServerGetDispatchQueueInfo, 'mode' | 'afterAddr' | 'maxAccounts'>

/** The answer to getDispatchQueueInfo for a trusted block, with the proof asked for (mode bit 0). */
export const verifyDispatchQueueInfo = (
  trusted: BlockIdExt,
  question: DispatchQuestion,
  answer: LiteServerDispatchQueueInfo,
  skipProofChecks = false,
): ProvenDispatchQueue => {
  expectBlock('The block of a dispatch queue', trusted, answer.id)
  if (answer.proof === undefined) throw new ProofFailedError('The proof of a dispatch queue did not come.')
  const queue = unwrapDispatchQueue(trusted, answer.proof, skipProofChecks)
  const { accounts, isComplete } = proving('a dispatch queue', () => readAccounts(queue, question))
  const stated = answer.accountDispatchQueues
  if (stated.length !== accounts.length || !stated.every((each, k) => states(each, accounts[k]!))) {
    throw new ProofFailedError('The accounts in a dispatch queue are others than the proven ones.')
  }
  if (answer.complete !== isComplete) {
    throw new ProofFailedError('The answer is wrong about whether more accounts follow in a dispatch queue.')
  }
  return { block: trusted, accounts, isComplete }
}

const readAccounts = (queue: DispatchQueue, { mode, afterAddr, maxAccounts }: DispatchQuestion) => {
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

const states = (stated: LiteServerAccountDispatchQueueInfo, proven: WaitingMessages): boolean =>
  bytesEqual(stated.addr, proven.account) &&
  stated.size === BigInt(proven.size) &&
  BigInt.asUintN(64, stated.minLt) === proven.minLt &&
  BigInt.asUintN(64, stated.maxLt) === proven.maxLt
