import { AugDict } from '../../codec/cell/AugDict.ts'
import {
  type DispatchQueue,
  dispatchQueueType,
  type OutMsgQueueInfo,
  openOutMsgQueueInfo,
} from '../../codec/tlb/OutMsgQueueInfo.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { unwrapStatePair } from './ProvenState.ts'
import { proving } from './proving.ts'

/** The queues in the state after a trusted block; those that a proof is not about are pruned. */
export const unwrapQueues = (trusted: BlockIdExt, proof: Uint8Array, skipProofChecks: boolean): OutMsgQueueInfo => {
  const { state } = unwrapStatePair('the queues of a shard', trusted, proof, skipProofChecks)
  return proving('the queues of a shard', () => openOutMsgQueueInfo(state.outMsgQueueInfo))
}

/** The messages that wait to be emitted. A state without such a queue has none of them. */
export const unwrapDispatchQueue = (trusted: BlockIdExt, proof: Uint8Array, skipProofChecks: boolean): DispatchQueue =>
  unwrapQueues(trusted, proof, skipProofChecks).extra?.dispatchQueue ?? AugDict.of(dispatchQueueType)
