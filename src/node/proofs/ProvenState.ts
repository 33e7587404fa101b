import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import {
  type McStateExtra,
  type McStateHistory,
  openMcStateExtra,
  openMcStateHistory,
} from '../../codec/tlb/McStateExtra.ts'
import { openShardState, type ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { type LinkedHeader, readLinkedHeader, stateHashOf } from './ProvenHeader.ts'
import { decodeRoots, proving, unwrapRoot } from './unwrapProof.ts'

/** The state after a block. Parts of it that its proof does not hold throw PrunedBranchError when they are read. */
export type ProvenState = { readonly header: LinkedHeader; readonly state: ShardStateUnsplit }

/**
 * Headers that were proven before, with the hashes of the states after their blocks, by the very id of the block: many answers about the
 * same block prove its header anew, which then need not be read.
 */
export type StateHeaders = WeakMap<BlockIdExt, { readonly header: LinkedHeader; readonly stateHash: Uint8Array }>

/** From the header of a block with its state update, and a proof of that state. */
export const unwrapStateRoots = (
  id: BlockIdExt,
  headerProof: Cell,
  stateProof: Cell,
  skipProofChecks: boolean,
  headers?: StateHeaders,
): ProvenState => {
  const header = readLinkedHeader(unwrapRoot('a block header', headerProof, id.rootHash, skipProofChecks), id)
  const stateHash = stateHashOf(header)
  // Unchecked ones must not be found by callers that want them checked.
  if (!skipProofChecks) headers?.set(id, { header, stateHash })
  return { header, state: unwrapState(stateProof, stateHash, skipProofChecks) }
}

const unwrapState = (proof: Cell, hash: Uint8Array, skipProofChecks: boolean): ShardStateUnsplit =>
  readState(unwrapRoot('a state', proof, hash, skipProofChecks))

/** The state in a cell; only one that a merge starts from is of the other kind. */
export const readState = (root: Cell): ShardStateUnsplit =>
  proving('a state', () => {
    const state = openShardState(root)
    if (state.kind === 'unsplit') return state
    throw new ProofFailedError('The proof of a state holds the two states before a merge instead.')
  })

/** From a bag of two: the header of the block with its state update, and the state. */
export const unwrapStatePair = (
  what: string,
  id: BlockIdExt,
  bytes: Uint8Array,
  skipProofChecks: boolean,
  headers?: StateHeaders,
): ProvenState => {
  const known = skipProofChecks ? undefined : headers?.get(id)
  // Of the bag, all that is used then is checked where it is unwrapped.
  const [headerProof, stateProof] = decodeRoots(what, bytes, 2, skipProofChecks || known !== undefined)
  return known === undefined
    ? unwrapStateRoots(id, headerProof!, stateProof!, skipProofChecks, headers)
    : { header: known.header, state: unwrapState(stateProof!, known.stateHash, false) }
}

/** As {@link unwrapStatePair}, from a bag for each of the two. */
export const unwrapStateParts = (
  id: BlockIdExt,
  headerProof: Uint8Array,
  stateProof: Uint8Array,
  skipProofChecks: boolean,
  headers?: StateHeaders,
): ProvenState => {
  const [state] = decodeRoots('a state', stateProof, 1, skipProofChecks)
  const known = skipProofChecks ? undefined : headers?.get(id)
  if (known !== undefined) return { header: known.header, state: unwrapState(state!, known.stateHash, false) }
  const [header] = decodeRoots('a block header', headerProof, 1, skipProofChecks)
  return unwrapStateRoots(id, header!, state!, skipProofChecks, headers)
}

/** The masterchain part of a state. */
export const openMasterExtra = ({ custom }: ShardStateUnsplit): McStateExtra => {
  if (custom === undefined)
    throw new ProofFailedError('The state of a masterchain block says nothing of the masterchain.')
  return proving('a masterchain state', () => openMcStateExtra(custom))
}

/** The part of a masterchain state about earlier blocks and their creators. */
export const openMasterHistory = (state: ShardStateUnsplit): McStateHistory => {
  const { history } = openMasterExtra(state)
  return proving('a masterchain state', () => openMcStateHistory(history))
}
