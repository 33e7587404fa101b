import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { BLOCK_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { writeSnake } from '../../src/codec/content/text.ts'
import type { AnyLiteServerSignatureSet } from '../../src/codec/tl/liteServerTypes.ts'
import {
  type BlockSignatures,
  type CryptoSignaturePair,
  cryptoSignaturePairsType,
} from '../../src/codec/tlb/BlockSignatures.ts'
import { createMemoryFiles } from '../../src/devnet/store/BlockFiles.ts'
import { ChainStore, type CheckedBlock, checkBlock, checkZeroState } from '../../src/devnet/store/ChainStore.ts'
import { signOrdinary, signSimplex } from './chainProofs.ts'
import { type ProvableBlock, ProvableChain } from './ProvableChain.ts'

type Step = {
  /** Shard blocks that the new masterchain block is the first to include. */
  readonly shardBlocks?: number
  readonly isKeyBlock?: boolean
  readonly signed?: 'ordinary' | 'simplex' | 'not'
}

const encode = ({ root }: ProvableBlock): Uint8Array => encodeBoc([root], BLOCK_BOC)

/** A made-up chain in a store, with signatures: what is cheap to test without recorded data is tested on it. */
export class TinyChain {
  readonly chain = new ProvableChain()
  readonly store: ChainStore

  constructor(keep = 0) {
    const zeroStates = [this.chain.zerostate, this.chain.shardZerostate].map((state) => checkZeroState(encode(state)))
    this.store = new ChainStore(zeroStates, createMemoryFiles(), { keep })
  }

  /** One masterchain block more. */
  add({ shardBlocks = 1, isKeyBlock = false, signed = 'ordinary' }: Step = {}): CheckedBlock {
    const shards = Array.from({ length: shardBlocks }, () => checkBlock(encode(this.chain.addShardBlock())))
    const block = this.chain.addMasterchainBlock(isKeyBlock)
    const master = checkBlock(encode(block), block.id)
    const signatures = signed === 'not' ? undefined : this.sign(block, signed)
    this.store.append({ master, shardBlocks: shards, signatures })
    return master
  }

  private sign(block: ProvableBlock, kind: 'ordinary' | 'simplex'): BlockSignatures {
    const who = [0, 1, 2]
    return onRecord(kind === 'ordinary' ? signOrdinary(this.chain, block, who) : signSimplex(this.chain, block, who))
  }
}

/** A set of signatures as a node keeps it. */
const onRecord = (set: AnyLiteServerSignatureSet): BlockSignatures => {
  const pairs = set.signatures.map(({ nodeIdShort, signature }, k): [number, CryptoSignaturePair] => [
    k,
    { nodeIdShort, signature: { kind: 'simple', signature } },
  ])
  const pure = {
    validatorListHashShort: set.validatorSetHash >>> 0,
    sigCount: pairs.length,
    sigWeight: 15n,
    signatures: Dict.of(cryptoSignaturePairsType, pairs),
  }
  if (set.kind === 'liteServer.signatureSet.ordinary') {
    return { kind: 'ordinary', catchainSeqno: set.catchainSeqno, ...pure }
  }
  const candidate = new CellWriter()
  writeSnake(candidate, set.candidate)
  const { ccSeqno: catchainSeqno, sessionId, slot } = set
  return { kind: 'simplex', catchainSeqno, ...pure, sessionId, slot, candidate: candidate.toCell() }
}
