import type { BlockId } from '../../primitives/BlockId.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { StoredBlock } from '../store/StoredBlock.ts'
import { explainNotFound, type LookupBy } from './explainNotFound.ts'
import { LiteRefusal, NOT_READY, REQUEST_ERROR } from './LiteRefusal.ts'

/** A question for a block by its place: `shard` of the id is taken for the start of an account's address. */
export type LookupQuestion = {
  readonly mode: number
  readonly id: BlockId
  readonly lt?: bigint | undefined
  readonly utime?: number | undefined
}

type Wanted = { readonly by: LookupBy; readonly value: bigint }

const BY_SEQNO = 1
const BY_LT = 2
const BY_UTIME = 4
const WAYS = BY_SEQNO | BY_LT | BY_UTIME

/** Whether the block is wanted as the first to reach a time, which only the one before it can show. */
export const isFirstWanted = ({ mode }: LookupQuestion): boolean => (mode & (BY_LT | BY_UTIME)) !== 0

/** Refuses a question that looks for several things, or for none. */
export const expectOneWay = (question: LookupQuestion): void => void readWanted(question)

/** The block that a question looks for. */
export const lookUp = (store: ChainStore, question: LookupQuestion): StoredBlock => {
  const { workchain, shard } = question.id
  const { by, value } = readWanted(question)
  const found = find(store, question.id, { by, value })
  if (found === undefined) throw new LiteRefusal(NOT_READY, explainNotFound(store, workchain, shard, by, value))
  return found
}

/** The numbers are unsigned, whatever their types in TL. */
const readWanted = ({ mode, id, lt = 0n, utime = 0 }: LookupQuestion): Wanted => {
  switch (mode & WAYS) {
    case BY_SEQNO:
      return { by: 'seqno', value: BigInt(id.seqno >>> 0) }
    case BY_LT:
      return { by: 'lt', value: BigInt.asUintN(64, lt) }
    case BY_UTIME:
      return { by: 'utime', value: BigInt(utime >>> 0) }
    default:
      throw new LiteRefusal(REQUEST_ERROR, 'exactly one of mode.0, mode.1 and mode.2 bits must be set')
  }
}

const find = ({ index }: ChainStore, { workchain, shard }: BlockId, { by, value }: Wanted): StoredBlock | undefined => {
  if (by === 'lt') return index.findByLt(workchain, shard, value)
  if (by === 'utime') return index.findByUtime(workchain, shard, Number(value))
  return index.findBySeqno(workchain, shard, Number(value))
}
