import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeBoc } from '../../codec/cell/decodeBoc.ts'
import { unwrapMerkleProof, unwrapUnchecked } from '../../codec/cell/merkle.ts'
import { type BlockId, type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'

/**
 * Runs one step of a check. A codec error in it (not a bag of cells, a pruned branch) becomes ProofFailedError; `what` names the
 * step, and the innermost named step wins.
 */
export const proving = <T>(what: string, step: () => T): T => {
  try {
    return step()
  } catch (cause) {
    if (cause instanceof ProofFailedError || !(cause instanceof CodedError)) throw cause
    throw new ProofFailedError(`The proof of ${what} failed: ${cause.message}`, { cause })
  }
}

/**
 * The roots of a bag in an answer, checked for their number. Every hash that the bag states is checked, unless the caller trusts its server
 * (`skipProofChecks`). Most proofs of a block have the same cells in part; those of its transactions do not.
 */
export const decodeRoots = (
  what: string,
  bytes: Uint8Array,
  count: number,
  skipProofChecks: boolean,
  isRepeated = true,
): Cell[] => {
  if (bytes.length === 0) throw new ProofFailedError(`The proof of ${what} was not given.`)
  const roots = proving(what, () => decodeBoc(bytes, { trusted: skipProofChecks, isRepeated }))
  if (roots.length !== count) {
    throw new ProofFailedError(
      `Expected ${count} root${count === 1 ? '' : 's'} in the proof of ${what}, but got ${roots.length}.`,
    )
  }
  return roots
}

/** The content of a Merkle proof of the cell with this hash. Read its hashes at level 0. */
export const unwrapRoot = (what: string, proof: Cell, hash: Uint8Array, skipProofChecks: boolean): Cell =>
  proving(what, () => (skipProofChecks ? unwrapUnchecked(proof) : unwrapMerkleProof(proof, hash)))

/** As {@link unwrapRoot}, from a bag with that one root. */
export const unwrapProof = (
  what: string,
  bytes: Uint8Array,
  hash: Uint8Array,
  skipProofChecks: boolean,
  isRepeated?: boolean,
): Cell => unwrapRoot(what, decodeRoots(what, bytes, 1, skipProofChecks, isRepeated)[0]!, hash, skipProofChecks)

/** A field that is unused in this answer must be empty. */
export const expectNothing = (what: string, bytes: Uint8Array): void => {
  if (bytes.length !== 0) throw new ProofFailedError(`${what} should be empty here, but got ${bytes.length} bytes.`)
}

/** The roots of a bag that lists cells; a list of none is sent as no bytes at all. */
export const decodeList = (what: string, bytes: Uint8Array): Cell[] =>
  bytes.length === 0 ? [] : proving(what, () => decodeBoc(bytes))

/** Hashes roots of one bag together, where the hash of each is about to be compared. */
export const hashRoots = (what: string, roots: readonly Cell[]): void => {
  const [first] = roots
  if (first !== undefined) proving(what, () => first.arena.hashRoots(roots.map(({ index }) => index)))
}

const NO_WORKCHAIN = -0x8000_0000

/** Same position in the chain and same hashes. */
export const blockIdsEqual = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a.workchain === b.workchain &&
  a.shard === b.shard &&
  a.seqno === b.seqno &&
  bytesEqual(a.rootHash, b.rootHash) &&
  bytesEqual(a.fileHash, b.fileHash)

/** An answer must be about the requested block. */
export const expectBlock = (what: string, expected: BlockIdExt, stated: BlockIdExt): void => {
  if (!blockIdsEqual(expected, stated)) {
    throw new ProofFailedError(
      `${what} should be block ${formatBlockIdExt(expected)}, but got ${formatBlockIdExt(stated)}.`,
    )
  }
}

/** The id by which a server says that there is no such block: workchain −2³¹, all else zero. */
export const isNoBlock = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): boolean =>
  workchain === NO_WORKCHAIN && shard === 0n && seqno === 0 && isZero(rootHash) && isZero(fileHash)

const isZero = (hash: Uint8Array): boolean => hash.every((byte) => byte === 0)

type HashedBlock = { readonly seqno: number; readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }

/** The id of a block that is known by its shard, with hashes of its own: those read from cells are views of them. */
export const blockIdOf = (
  { workchain, shard }: Pick<BlockId, 'workchain' | 'shard'>,
  { seqno, rootHash, fileHash }: HashedBlock,
): BlockIdExt => ({ workchain, shard, seqno, rootHash: rootHash.slice(), fileHash: fileHash.slice() })
