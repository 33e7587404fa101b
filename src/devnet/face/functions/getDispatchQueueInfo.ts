import { findEntry, visitEntries } from '../../../codec/cell/Dict.ts'
import type { LiteServerAccountDispatchQueueInfo } from '../../../codec/tl/liteServerTypes.ts'
import type { AccountDispatchQueue, DispatchQueue } from '../../../codec/tlb/OutMsgQueueInfo.ts'
import { isValidBlockIdExt } from '../../../primitives/BlockId.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { openDispatchQueue, readProven } from '../messageQueues.ts'
import { loadBlockAndState } from '../referenceBlock.ts'

const WITH_PROOF = 1
const MAX_ACCOUNTS = 64

/** The accounts whose messages wait to be emitted. Unlike other pages, this one looks whether something follows it. */
export const getDispatchQueueInfo: LiteFunction<'liteServer.getDispatchQueueInfo'> = ({ store }, question) => {
  const { mode, id, afterAddr, maxAccounts } = question
  if (!isValidBlockIdExt(id)) throw new LiteRefusal(REQUEST_ERROR, 'invalid BlockIdExt')
  if (maxAccounts <= 0) throw new LiteRefusal(REQUEST_ERROR, 'invalid max_accounts')
  const { value, proof } = readProven(loadBlockAndState(store, id), (mode & WITH_PROOF) !== 0, (state) =>
    readPage(openDispatchQueue(state), afterAddr, Math.min(maxAccounts, MAX_ACCOUNTS)),
  )
  return { mode, id, accountDispatchQueues: value.accounts, complete: value.isComplete, proof }
}

const readPage = (queue: DispatchQueue, after: Uint8Array | undefined, limit: number) => {
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
