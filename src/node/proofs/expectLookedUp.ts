import { ProofFailedError } from '../../chain/errors.ts'
import type { LiteServerLookupBlock } from '../../codec/tl/liteServerTypes.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { shardContains } from '../../primitives/shard.ts'
import type { ProvenHeader } from './ProvenHeader.ts'

/** What a question may go by; exactly one of them. */
export const BY_SEQNO = 1
export const BY_LT = 2
const BY_UTIME = 4

type LookupQuestion = Pick<LiteServerLookupBlock, 'mode' | 'id' | 'lt' | 'utime'>

/** A block that was looked up lies where the question points, and does not end before it. */
export const expectLookedUp = (question: LookupQuestion, { id, info }: ProvenHeader): void => {
  if (id.workchain !== question.id.workchain || !shardContains(id.shard, question.id.shard)) {
    throw new ProofFailedError(`Block ${formatBlockId(id)} was found, which is not of the shard asked for.`)
  }
  const by = question.mode & (BY_SEQNO | BY_LT | BY_UTIME)
  const fits =
    (by === BY_SEQNO && id.seqno === question.id.seqno) ||
    (by === BY_LT && question.lt !== undefined && BigInt.asUintN(64, question.lt) <= info.endLt) ||
    (by === BY_UTIME && question.utime !== undefined && question.utime >>> 0 <= info.genUtime)
  if (!fits) throw new ProofFailedError(`Block ${formatBlockId(id)} was found, which does not fit the question.`)
}
