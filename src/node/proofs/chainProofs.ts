import { ProofFailedError } from '../../chain/errors.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type {
  AnyLiteServerBlockLink,
  LiteServerBlockLinkBack,
  LiteServerBlockLinkForward,
  LiteServerPartialBlockProof,
} from '../../codec/tl/liteServerTypes.ts'
import { type BlockProof, openBlockProof } from '../../codec/tlb/BlockProof.ts'
import type { ConfigParams } from '../../codec/tlb/config/configParams.ts'
import type { KeyExtBlkRef, McStateHistory } from '../../codec/tlb/McStateExtra.ts'
import {
  type BlockIdExt,
  formatBlockId,
  formatBlockIdExt,
  isValidBlockIdExt,
  masterchain,
} from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import {
  type LinkedHeader,
  openKeyBlockConfig,
  type ProvenHeader,
  readLinkedHeader,
  stateHashOf,
} from './ProvenHeader.ts'
import { openMasterExtra, openMasterHistory, readState, unwrapStateParts } from './ProvenState.ts'
import { type SignedBlock, signatureSetOfAnswer, verifySignedBlock } from './signatures.ts'
import {
  blockIdOf,
  blockIdsEqual,
  expectBlock,
  expectNothing,
  proving,
  unwrapProof,
  unwrapRoot,
} from './unwrapProof.ts'
import { readSigningRules } from './validatorSets.ts'

const MASTERCHAIN = { workchain: masterchain, shard: wholeShard }

/** The entry of an earlier masterchain block in a later state, which must be the block with exactly this id. */
export const expectOldBlock = ({ prevBlocks }: McStateHistory, id: BlockIdExt): KeyExtBlkRef => {
  const entry = proving('an earlier masterchain block', () => prevBlocks.find(id.seqno))
  if (entry === undefined || !blockIdsEqual(blockIdOf(MASTERCHAIN, entry.block), id)) {
    throw new ProofFailedError(`Block ${formatBlockIdExt(id)} is not among the earlier blocks of the masterchain.`)
  }
  return entry
}

/** One step of a proof chain: trust in `from` extends to `to`. */
type ProvenLink = {
  readonly from: BlockIdExt
  readonly to: BlockIdExt
  /** The zerostate counts as a key block. */
  readonly isKeyBlock: boolean
  /** Absent for the zerostate, which such a link proves without showing it. */
  readonly header: ProvenHeader | undefined
  /** How `to` is signed; absent for a link back, which needs no signatures. */
  readonly signed: SignedBlock | undefined
}

/** One link between two masterchain blocks: protocol page, section 7.5. */
export const verifyBlockLink = (link: AnyLiteServerBlockLink): ProvenLink => {
  const { from, to } = link
  if (![from, to].every((id) => isValidBlockIdExt(id) && id.workchain === masterchain)) {
    throw new ProofFailedError('A link of a proof chain is not between two masterchain blocks.')
  }
  const isForward = link.kind === 'liteServer.blockLinkForward'
  if (isForward ? from.seqno >= to.seqno : from.seqno <= to.seqno) {
    throw new ProofFailedError(
      `A link ${isForward ? 'forward' : 'back'} leads from ${formatBlockId(from)} to ${formatBlockId(to)}.`,
    )
  }
  return link.kind === 'liteServer.blockLinkForward' ? verifyForward(link) : verifyBack(link)
}

/** An earlier block stands in the state of a later one. */
const verifyBack = ({ from, to, toKeyBlock, destProof, proof, stateProof }: LiteServerBlockLinkBack): ProvenLink => {
  const { isKey } = expectOldBlock(openMasterHistory(unwrapStateParts(from, proof, stateProof, false).state), to)
  if (isKey !== toKeyBlock) {
    throw new ProofFailedError(`A link is wrong about block ${formatBlockId(to)} being a key block.`)
  }
  if (to.seqno === 0) expectNothing('The proof of the zerostate in a link', destProof)
  const header = to.seqno === 0 ? undefined : readDestination(to, toKeyBlock, destProof)
  return { from, to, isKeyBlock: toKeyBlock, header, signed: undefined }
}

/** A later block is signed by those whom the key block before it names. */
const verifyForward = (link: LiteServerBlockLinkForward): ProvenLink => {
  const { from, to, toKeyBlock, destProof, configProof, signatures } = link
  const rules = readSigningRules(from.seqno, readConfig(from, configProof).config)
  const header = readDestination(to, toKeyBlock, destProof)
  const signed = verifySignedBlock(header, rules, signatureSetOfAnswer(signatures))
  return { from, to, isKeyBlock: toKeyBlock, header, signed }
}

const readDestination = (to: BlockIdExt, toKeyBlock: boolean, destProof: Uint8Array): ProvenHeader => {
  const header = readLinkedHeader(unwrapProof('the end of a link', destProof, to.rootHash, false), to)
  if (header.info.keyBlock !== toKeyBlock) {
    throw new ProofFailedError(`A link is wrong about block ${formatBlockId(to)} being a key block.`)
  }
  return header
}

/** A zerostate is a state: it stands for its own configuration. */
const readConfig = (from: BlockIdExt, configProof: Uint8Array): ConfigParams => {
  const root = unwrapProof('the start of a link', configProof, from.rootHash, false)
  if (from.seqno === 0) return openMasterExtra(readState(root)).config
  return openKeyBlockConfig(readLinkedHeader(root, from), root)
}

/** Servers send 16 at most. Links cost signature checks, and they can go round in circles. */
const MAX_LINKS = 32

export type ProvenChain = {
  readonly from: BlockIdExt
  /** As far as the links lead: the target, or a block to go on from. */
  readonly to: BlockIdExt
  /** The server says that `to` is what was asked for. */
  readonly isComplete: boolean
  /** Every block that is now proven, in the order of the links, `from` left out. */
  readonly links: readonly ProvenLink[]
  /** The newest key block that is now proven: what to start from the next time. */
  readonly lastKeyBlock: BlockIdExt | undefined
}

/** The answer to getBlockProof from a trusted masterchain block, towards `target` where the request named one. */
export const verifyBlockProofChain = (
  answer: LiteServerPartialBlockProof,
  from: BlockIdExt,
  target?: BlockIdExt,
): ProvenChain => {
  expectBlock('The start of a proof chain', from, answer.from)
  if (answer.steps.length > MAX_LINKS) {
    throw new ProofFailedError(`Expected a proof chain of at most ${MAX_LINKS} links, but got ${answer.steps.length}.`)
  }
  let to = from
  const links = answer.steps.map((step) => {
    expectBlock('The start of a link of a proof chain', to, step.from)
    const link = verifyBlockLink(step)
    to = link.to
    return link
  })
  expectBlock('The end of a proof chain', to, answer.to)
  if (target !== undefined && answer.complete) expectBlock('The end of a whole proof chain', target, to)
  if (links.length === 0 && !answer.complete) throw new ProofFailedError('A proof chain neither leads on nor ends.')
  return { from, to, isComplete: answer.complete, links, lastKeyBlock: findLastKeyBlock(links) }
}

/** Links forward start at key blocks, which they show to be such. */
const findLastKeyBlock = (links: readonly ProvenLink[]): BlockIdExt | undefined => {
  const keyBlocks = links.flatMap(({ from, to, isKeyBlock, signed }) => [
    ...(signed === undefined ? [] : [from]),
    ...(isKeyBlock ? [to] : []),
  ])
  return keyBlocks.reduce<BlockIdExt | undefined>(
    (last, id) => (last === undefined || id.seqno > last.seqno ? id : last),
    undefined,
  )
}

export type ProvenPackageLink = LinkedHeader & { readonly stateHash: Uint8Array }

/** A `prooflink_` entry for a trusted block: its header without signatures, which the masterchain stands in for. */
export const verifyPackageLink = (trusted: BlockIdExt, bytes: Uint8Array): ProvenPackageLink =>
  readProof(trusted, openProof(bytes)).header

export const openProof = (bytes: Uint8Array): BlockProof =>
  proving('a block in a package', () => openBlockProof(decodeSingleBoc(bytes)))

export const readProof = (id: BlockIdExt, { proofFor, root: proof }: BlockProof) => {
  expectBlock('The block of a package proof', id, proofFor)
  const root = unwrapRoot('a block in a package', proof, id.rootHash, false)
  const header = readLinkedHeader(root, id)
  return { header: { ...header, stateHash: stateHashOf(header) }, root }
}
