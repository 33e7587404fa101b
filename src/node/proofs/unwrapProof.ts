import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeBoc } from '../../codec/cell/decodeBoc.ts'
import { unwrapMerkleProof, unwrapUnchecked } from '../../codec/cell/merkle.ts'
import { proving } from './proving.ts'

/**
 * The roots of a bag in an answer, which must be exactly so many. Every hash that the bag states is checked, unless the caller trusts
 * his own server and wants its answers cheaper (`skipProofChecks`).
 */
export const decodeRoots = (what: string, bytes: Uint8Array, count: number, skipProofChecks: boolean): Cell[] => {
  if (bytes.length === 0) throw new ProofFailedError(`The proof of ${what} was not given.`)
  const roots = proving(what, () => decodeBoc(bytes, { trusted: skipProofChecks }))
  if (roots.length !== count) {
    throw new ProofFailedError(`The proof of ${what} has ${count} root${count === 1 ? '' : 's'}, ${roots.length} came.`)
  }
  return roots
}

/** What stands inside a Merkle proof of the cell with this hash. Its hashes are to be asked for at level 0. */
export const unwrapRoot = (what: string, proof: Cell, hash: Uint8Array, skipProofChecks: boolean): Cell =>
  proving(what, () => (skipProofChecks ? unwrapUnchecked(proof) : unwrapMerkleProof(proof, hash)))

/** As {@link unwrapRoot}, from a bag with that one root. */
export const unwrapProof = (what: string, bytes: Uint8Array, hash: Uint8Array, skipProofChecks: boolean): Cell =>
  unwrapRoot(what, decodeRoots(what, bytes, 1, skipProofChecks)[0]!, hash, skipProofChecks)

/** A field that has nothing to say in this answer. Bytes that nobody would look at are not taken. */
export const expectNothing = (what: string, bytes: Uint8Array): void => {
  if (bytes.length !== 0) throw new ProofFailedError(`${what} should be empty here, but ${bytes.length} bytes came.`)
}

/** The roots of a bag that lists cells; a list of none is sent as no bytes at all. */
export const decodeList = (what: string, bytes: Uint8Array): Cell[] =>
  bytes.length === 0 ? [] : proving(what, () => decodeBoc(bytes))
