import { AugDict } from '../../codec/cell/AugDict.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import {
  type DispatchQueue,
  dispatchQueueType,
  type OutMsgQueueExtra,
  openOutMsgQueueInfo,
} from '../../codec/tlb/OutMsgQueueInfo.ts'
import { proveState } from './merkle.ts'
import { openState } from './openState.ts'
import type { BlockAndState } from './referenceBlock.ts'
import { encodeStateProof } from './stateRootProof.ts'

/** What a state says of its queues besides the queue to other shards; old networks say nothing. */
export const openQueueExtra = (state: Cell): OutMsgQueueExtra | undefined =>
  openOutMsgQueueInfo(openState(state).outMsgQueueInfo).extra

/** Messages that wait to be emitted. */
export const openDispatchQueue = (state: Cell): DispatchQueue =>
  openQueueExtra(state)?.dispatchQueue ?? AugDict.of(dispatchQueueType)

/** Reads the state after a block, and proves the reading where that is wanted. */
export const readProven = <T>(
  { root, state }: BlockAndState,
  isProofWanted: boolean,
  read: (state: Cell) => T,
): { readonly value: T; readonly proof: Uint8Array | undefined } => {
  if (!isProofWanted) return { value: read(state), proof: undefined }
  const { value, proof } = proveState(state, read)
  return { value, proof: encodeStateProof(root, proof) }
}
