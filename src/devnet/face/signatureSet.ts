import { openCell } from '../../codec/cell/CellReader.ts'
import { readSnake } from '../../codec/content/text.ts'
import type { AnyLiteServerSignatureSet } from '../../codec/tl/liteServerTypes.ts'
import type { BlockSignatures } from '../../codec/tlb/BlockSignatures.ts'

/** The signatures on record as the protocol carries them, its numbers signed. */
export const toSignatureSet = (set: BlockSignatures): AnyLiteServerSignatureSet => {
  const validatorSetHash = set.validatorListHashShort | 0
  const seqno = set.catchainSeqno | 0
  const signatures = set.signatures
    .entries()
    .map(([, { nodeIdShort, signature }]) => ({ nodeIdShort, signature: signature.signature }))
  if (set.kind === 'ordinary') {
    return { kind: 'liteServer.signatureSet.ordinary', validatorSetHash, catchainSeqno: seqno, signatures }
  }
  return {
    kind: 'liteServer.signatureSet.simplex',
    ccSeqno: seqno,
    validatorSetHash,
    signatures,
    sessionId: set.sessionId,
    slot: set.slot | 0,
    candidate: readSnake(openCell(set.candidate)),
  }
}
