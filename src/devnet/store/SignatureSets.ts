import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { openBlockProof } from '../../codec/tlb/BlockProof.ts'
import type { BlockSignatures } from '../../codec/tlb/BlockSignatures.ts'
import { CodedError } from '../../primitives/errors.ts'
import { ChainDataError } from './errors.ts'

/** The newest blocks are asked about by many, the others by one now and then. */
const MAX_READ = 32

/** The signatures under masterchain blocks: read from their proofs when asked for, and kept only where there is no proof. */
export class SignatureSets {
  private readonly findProof: (masterSeqno: number) => Uint8Array | undefined
  private readonly kept = new Map<number, BlockSignatures>()
  private readonly read = new Map<number, BlockSignatures>()

  constructor(findProof: (masterSeqno: number) => Uint8Array | undefined) {
    this.findProof = findProof
  }

  /** Takes the signatures of a block that has no proof. */
  keep(masterSeqno: number, signatures: BlockSignatures): void {
    this.kept.set(masterSeqno, signatures)
  }

  find(masterSeqno: number): BlockSignatures | undefined {
    const known = this.kept.get(masterSeqno) ?? this.read.get(masterSeqno)
    if (known !== undefined) return known
    const proof = this.findProof(masterSeqno)
    if (proof === undefined) return undefined
    const signatures = readSignatures(masterSeqno, proof)
    if (signatures === undefined) return undefined
    this.read.set(masterSeqno, signatures)
    if (this.read.size > MAX_READ) this.read.delete(this.read.keys().next().value!)
    return signatures
  }

  removeAfter(masterSeqno: number): void {
    for (const sets of [this.kept, this.read]) {
      for (const seqno of sets.keys()) if (seqno > masterSeqno) sets.delete(seqno)
    }
  }
}

const readSignatures = (masterSeqno: number, proof: Uint8Array): BlockSignatures | undefined => {
  try {
    return openBlockProof(decodeSingleBoc(proof, { trusted: true })).signatures
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause
    throw new ChainDataError(`The proof of masterchain block ${masterSeqno} cannot be read: ${cause.message}`, {
      cause,
    })
  }
}
