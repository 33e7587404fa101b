import { ProofFailedError } from '../../chain/errors.ts'
import type {
  AnyLiteServerBlockLink,
  LiteServerBlockLinkBack,
  LiteServerBlockLinkForward,
} from '../../codec/tl/liteServerTypes.ts'
import type { ConfigParams } from '../../codec/tlb/config/configParams.ts'
import { type BlockIdExt, formatBlockId, isValidBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { openKeyBlockConfig } from './keyBlockConfig.ts'
import { expectOldBlock } from './oldBlocks.ts'
import { type ProvenHeader, readLinkedHeader } from './ProvenHeader.ts'
import { openMasterExtra, openMasterHistory, readState, unwrapStateParts } from './ProvenState.ts'
import { signatureSetOfAnswer } from './SignatureSet.ts'
import { readSigningRules } from './SigningRules.ts'
import { expectNothing, unwrapProof } from './unwrapProof.ts'
import { type SignedBlock, verifySignedBlock } from './verifySignedBlock.ts'

/** One step of a proof chain: whoever trusts `from` may trust `to`. */
export type ProvenLink = {
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
