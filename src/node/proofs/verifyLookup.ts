import { ProofFailedError } from '../../chain/errors.ts'
import type { LiteServerLookupBlockResult, LiteServerLookupBlockWithProof } from '../../codec/tl/liteServerTypes.ts'
import { type BlockIdExt, formatBlockId, isValidBlockIdExt } from '../../primitives/BlockId.ts'
import { shardContains } from '../../primitives/shard.ts'
import { blockIdsEqual, expectBlock } from './blockIds.ts'
import { BY_LT, BY_SEQNO, expectLookedUp } from './expectLookedUp.ts'
import { expectOldBlock } from './oldBlocks.ts'
import { type LinkedHeader, type ProvenHeader, readHeader, readLinkedHeader } from './ProvenHeader.ts'
import { openMasterHistory, unwrapStateParts } from './ProvenState.ts'
import { followShardLinks } from './shardLinks.ts'
import { expectNothing, unwrapProof } from './unwrapProof.ts'

export type ProvenLookup = LinkedHeader & {
  /** The masterchain block that registered it; itself for one of the masterchain. */
  readonly masterchainBlock: BlockIdExt
}

type LookupQuestion = Omit<LiteServerLookupBlockWithProof, 'mcBlockId'>

/** The answer to lookupBlockWithProof about a trusted masterchain block. */
export const verifyLookup = (
  trusted: BlockIdExt,
  question: LookupQuestion,
  answer: LiteServerLookupBlockResult,
  skipProofChecks = false,
): ProvenLookup => {
  const masterchainBlock = proveMasterchainBlock(trusted, answer, skipProofChecks)
  const end = followShardLinks(masterchainBlock, answer.shardLinks, skipProofChecks)
  expectBlock('The block that was looked up', answer.id, end)
  const root = unwrapProof('a block that was looked up', answer.header, answer.id.rootHash, skipProofChecks)
  const header = readLinkedHeader(root, answer.id)
  expectLookedUp(question, header)
  if ((question.mode & BY_SEQNO) !== 0) expectNothing('The header before a block found by its seqno', answer.prevHeader)
  else expectFirst(question, header, answer.prevHeader, skipProofChecks)
  return { ...header, masterchainBlock }
}

const proveMasterchainBlock = (
  trusted: BlockIdExt,
  answer: LiteServerLookupBlockResult,
  skipProofChecks: boolean,
): BlockIdExt => {
  const { mcBlockId, clientMcStateProof, mcBlockProof } = answer
  if (blockIdsEqual(trusted, mcBlockId)) {
    expectNothing('The state proof of the reference block itself', clientMcStateProof)
    expectNothing('The proof of the reference block itself', mcBlockProof)
    return trusted
  }
  if (!isValidBlockIdExt(mcBlockId)) throw new ProofFailedError('A lookup leads to an impossible id.')
  const { state } = unwrapStateParts(trusted, clientMcStateProof, mcBlockProof, skipProofChecks)
  expectOldBlock(openMasterHistory(state), mcBlockId)
  return mcBlockId
}

/** By a time, the block must be the first that does not end before it: the one before it does. */
const expectFirst = (
  question: LookupQuestion,
  header: LinkedHeader,
  proof: Uint8Array,
  skipProofChecks: boolean,
): void => {
  const prev = header.prev.find(({ shard }) => shardContains(shard, question.id.shard))
  if (prev === undefined) throw new ProofFailedError(`No block before ${formatBlockId(header.id)} fits the question.`)
  const root = unwrapProof('the block before one that was looked up', proof, prev.rootHash, skipProofChecks)
  const before = readHeader(root, prev)
  if (!endsBefore(question, before)) {
    throw new ProofFailedError(`Block ${formatBlockId(prev)} fits the question, but the one after it came.`)
  }
}

/** Logical times grow with every block. Several blocks may share one second, and a node takes any of them. */
const endsBefore = ({ mode, lt, utime }: LookupQuestion, { info }: ProvenHeader): boolean =>
  (mode & BY_LT) !== 0
    ? lt !== undefined && info.endLt < BigInt.asUintN(64, lt)
    : utime !== undefined && info.genUtime <= utime >>> 0
