import { ProofFailedError } from '../../../src/chain/errors.ts'
import { lookupBinTree } from '../../../src/codec/cell/BinTree.ts'
import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { openCell } from '../../../src/codec/cell/CellReader.ts'
import { takeEntries } from '../../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../../src/codec/cell/decodeBoc.ts'
import { readSnake } from '../../../src/codec/content/text.ts'
import type { LiteServerBlockHeader, LiteServerLookupBlock } from '../../../src/codec/tl/liteServerTypes.ts'
import type { ShardIdent } from '../../../src/codec/tlb/BlockInfo.ts'
import type { BlockSignatures, CryptoSignature } from '../../../src/codec/tlb/BlockSignatures.ts'
import type { BlockCreateStats, CreatorStats } from '../../../src/codec/tlb/McStateExtra.ts'
import type { ShardHashes } from '../../../src/codec/tlb/ShardHashes.ts'
import type { ShardStateUnsplit } from '../../../src/codec/tlb/ShardState.ts'
import { expectLookedUp, type ProvenBlockHeader, readAnswer } from '../../../src/node/proofs/blockProofs.ts'
import { openProof, type ProvenPackageLink, readProof } from '../../../src/node/proofs/chainProofs.ts'
import type { ProvenCreator } from '../../../src/node/proofs/configProofs.ts'
import { openKeyBlockConfig } from '../../../src/node/proofs/ProvenHeader.ts'
import {
  openMasterExtra,
  openMasterHistory,
  readState,
  unwrapStatePair,
  unwrapStateParts,
} from '../../../src/node/proofs/ProvenState.ts'
import { findRegisteredShard, type RegisteredShard } from '../../../src/node/proofs/shardProofs.ts'
import { type SignatureSet, type SignedBlock, verifySignedBlock } from '../../../src/node/proofs/signatures.ts'
import { expectBlock, expectNothing, isNoBlock, proving } from '../../../src/node/proofs/unwrapProof.ts'
import { readSigningRules, type SigningRules } from '../../../src/node/proofs/validatorSets.ts'
import { type BlockIdExt, formatBlockId, isValidBlockIdExt, masterchain } from '../../../src/primitives/BlockId.ts'
import { bytesEqual } from '../../../src/primitives/bytes.ts'
import { sha256 } from '../../../src/primitives/hash.ts'
import { formatShard } from '../../../src/primitives/shard.ts'
import type {
  LiteServerBlockState,
  LiteServerGetShardInfo,
  LiteServerGetValidatorStats,
  LiteServerShardInfo,
  LiteServerValidatorStats,
} from '../liteServerAnswers.ts'

/**
 * The answer to getState for a block. Its id does not name the state: `stateHash` is to come from a proven header. The file
 * hash of such a state is that of this one serialization, and means nothing beyond it.
 */
export const verifyState = (
  trusted: BlockIdExt,
  stateHash: Uint8Array,
  answer: LiteServerBlockState,
): ProvenWholeState => {
  expectBlock('The block of a state', trusted, answer.id)
  if (!bytesEqual(answer.rootHash, stateHash) || !bytesEqual(sha256(answer.data), answer.fileHash)) {
    throw new ProofFailedError(
      `The state after block ${formatBlockId(trusted)} does not have the hashes it should have.`,
    )
  }
  const root = proving('a whole state', () => decodeSingleBoc(answer.data, { trusted: true }))
  if (!proving('a whole state', () => root.hasHash(stateHash))) {
    throw new ProofFailedError(`The state in the answer is not the one after block ${formatBlockId(trusted)}.`)
  }
  return { id: trusted, root, state: readState(root) }
}

export type ProvenWholeState = { readonly id: BlockIdExt; readonly root: Cell; readonly state: ShardStateUnsplit }

/**
 * The answer to lookupBlock. It shows that a block with this root hash would be the one asked for as far as its own header
 * tells. That this block is part of the chain, that no earlier one fits a time, and its file hash are not shown: prove the id
 * before trusting it, or ask lookupBlockWithProof.
 */
export const verifyLookedUpHeader = (
  request: LiteServerLookupBlock,
  { id, headerProof }: LiteServerBlockHeader,
): ProvenBlockHeader => {
  if (!isValidBlockIdExt(id)) throw new ProofFailedError('The block that was looked up has an impossible id.')
  const header = readAnswer(id, request.mode >> 4, headerProof, false)
  expectLookedUp(request, header)
  return header
}

/** A `proof_` entry of an archive package, against what the key block before the block says of its signers. */
export const verifyPackageProof = (id: BlockIdExt, bytes: Uint8Array, rules: SigningRules): ProvenPackageProof => {
  const proof = openProof(bytes)
  const { signatures } = proof
  if (id.workchain !== masterchain || signatures === undefined) {
    throw new ProofFailedError(`The proof of block ${formatBlockId(id)} should be signed, but it is not.`)
  }
  const { header, root } = readProof(id, proof)
  const signed = verifySignedBlock(header, rules, signatureSetOfPackage(signatures))
  if (signed.signedWeight !== signatures.sigWeight) {
    throw new ProofFailedError(
      `A block says that weight ${signatures.sigWeight} signed it, it was ${signed.signedWeight}.`,
    )
  }
  const nextRules = header.info.keyBlock
    ? readSigningRules(id.seqno, openKeyBlockConfig(header, root).config)
    : undefined
  return { ...header, ...signed, nextRules }
}

export type ProvenPackageProof = ProvenPackageLink &
  SignedBlock & {
    /** What a key block says about the blocks after it; absent for other blocks. */
    readonly nextRules: SigningRules | undefined
  }

/** The form in packages, whose count must be right. */
export const signatureSetOfPackage = (set: BlockSignatures): SignatureSet =>
  proving('the signatures of a block', () => {
    const signatures = set.signatures.entries().map(([number, { nodeIdShort, signature }], k) => {
      if (number !== k) throw new ProofFailedError(`Signature ${k} of a block is missing, ${number} follows.`)
      return { nodeId: nodeIdShort, signature: plainSignature(signature) }
    })
    if (signatures.length !== set.sigCount) {
      throw new ProofFailedError(`A block says that it has ${set.sigCount} signatures, it has ${signatures.length}.`)
    }
    return {
      validatorListHash: set.validatorListHashShort,
      catchainSeqno: set.catchainSeqno,
      signatures,
      vote:
        set.kind === 'simplex'
          ? { sessionId: set.sessionId, slot: set.slot | 0, candidate: readSnake(openCell(set.candidate)) }
          : undefined,
    }
  })

const plainSignature = (signature: CryptoSignature): Uint8Array => {
  if (signature.kind === 'simple') return signature.signature
  throw new ProofFailedError('A block is signed with a temporary key, which no known network allows.')
}

/** The answer to getShardInfo about a trusted masterchain block. */
export const verifyShardInfo = (
  trusted: BlockIdExt,
  request: ShardRequest,
  answer: LiteServerShardInfo,
  skipProofChecks = false,
): ProvenShardInfo => {
  expectBlock('The reference block of a shard', trusted, answer.id)
  const { state } = unwrapStatePair('a shard', trusted, answer.shardProof, skipProofChecks)
  const { shardHashes } = openMasterExtra(state)
  const shard = findAsked(shardHashes, request)
  if (shard === undefined) {
    if (!isNoBlock(answer.shardblk)) {
      throw new ProofFailedError(
        `Shard ${formatShard(request.shard)} is proven absent, but the answer has a block of it.`,
      )
    }
    expectNothing('The description of a shard that is proven absent', answer.shardDescr)
    return { block: trusted, shard: undefined }
  }
  expectBlock('The newest block of a shard', shard.id, answer.shardblk)
  const stated = proving('a shard description', () => decodeSingleBoc(answer.shardDescr))
  if (leafCellOf(shardHashes, shard.id)?.hasHash(stated.hash(), 0) !== true) {
    throw new ProofFailedError('The shard description in the answer differs from the proven one.')
  }
  return { block: trusted, shard }
}

export type ProvenShardInfo = {
  readonly block: BlockIdExt
  /** Absent if the proof shows that there is no such shard. */
  readonly shard: RegisteredShard | undefined
}

/** The cell of a leaf that is there: one bit, then the ShardDescr. */
const leafCellOf = (hashes: ShardHashes, { workchain, shard }: ShardIdent): Cell | undefined =>
  proving('a shard of the masterchain', () => {
    const tree = hashes.find(workchain)
    if (tree === undefined) return undefined
    const isRight = (depth: number): boolean => ((shard >> BigInt(63 - depth)) & 1n) === 1n
    return lookupBinTree(
      tree,
      (depth) => (isRight(depth) ? 'right' : 'left'),
      (r) => r.cell,
    )?.value
  })

const findAsked = (hashes: ShardHashes, { workchain, shard, exact }: ShardRequest): RegisteredShard | undefined => {
  if (workchain === masterchain) return undefined
  const found = findRegisteredShard(hashes, { workchain, shard })
  return exact && found !== undefined && found.id.shard !== shard ? undefined : found
}

type ShardRequest = Omit<LiteServerGetShardInfo, 'id'>

/** The answer to getValidatorStats about a trusted masterchain block. Servers do not filter by time of change. */
export const verifyValidatorStats = (
  trusted: BlockIdExt,
  request: StatsRequest,
  answer: LiteServerValidatorStats,
  skipProofChecks = false,
): ProvenValidatorStats => {
  expectBlock('The block of validator statistics', trusted, answer.id)
  const { state } = unwrapStateParts(trusted, answer.stateProof, answer.dataProof, skipProofChecks)
  const { blockCreateStats } = openMasterHistory(state)
  if (blockCreateStats === undefined) throw new ProofFailedError('The masterchain state keeps no validator statistics.')
  const limit = Math.min(request.limit, MAX_ENTRIES)
  const creators = proving('validator statistics', () => readCreators(blockCreateStats, request, limit))
  const isComplete = creators.length < limit
  if (answer.count !== creators.length || answer.complete !== isComplete) {
    throw new ProofFailedError(`There are ${creators.length} validators for a page, ${answer.count} are said to be.`)
  }
  return { block: trusted, creators, isComplete }
}

export type ProvenValidatorStats = {
  readonly block: BlockIdExt
  readonly creators: readonly ProvenCreator[]
  /** The end was seen: never so on a full page. */
  readonly isComplete: boolean
}

const MAX_ENTRIES = 1000

const readCreators = (
  { creators }: BlockCreateStats,
  { mode, startAfter }: StatsRequest,
  limit: number,
): readonly ProvenCreator[] => {
  const toEntry = ([creator, stats]: [Uint8Array, CreatorStats]): ProvenCreator => ({ creator, stats })
  if ((mode & START_AFTER) === 0 || startAfter === undefined) return takeEntries(creators, limit).map(toEntry)
  const first = (mode & START_INCLUSIVE) === 0 ? undefined : creators.find(startAfter)
  const start: ProvenCreator[] = first === undefined ? [] : [{ creator: startAfter, stats: first }]
  const rest = takeEntries(creators, limit - start.length, { after: startAfter })
  return [...start, ...rest.map(toEntry)]
}

const START_AFTER = 1

const START_INCLUSIVE = 2

type StatsRequest = Pick<LiteServerGetValidatorStats, 'mode' | 'limit' | 'startAfter'>

/** The answer to getState for a trusted zerostate, whose id holds the hash of its bytes. */
export const verifyZerostate = (trusted: BlockIdExt, answer: LiteServerBlockState): ProvenWholeState => {
  if (trusted.seqno !== 0) throw new ProofFailedError(`Block ${formatBlockId(trusted)} is not a zerostate.`)
  if (!bytesEqual(answer.fileHash, trusted.fileHash)) {
    throw new ProofFailedError('The zerostate has another file hash than its id.')
  }
  return verifyState(trusted, trusted.rootHash, answer)
}
