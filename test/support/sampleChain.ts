import { AugDict, writeAugDict } from '../../src/codec/cell/AugDict.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { BLOCK_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { buildMerkleUpdate, wrapMerkleProof } from '../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { writeBlock, writeBlockExtra, writeValueFlow } from '../../src/codec/tlb/Block.ts'
import { type ExtBlkRef, type PrevBlocks, prevRefCell, writeBlockInfo } from '../../src/codec/tlb/BlockInfo.ts'
import { writeBlockProof } from '../../src/codec/tlb/BlockProof.ts'
import { cryptoSignaturePairsType } from '../../src/codec/tlb/BlockSignatures.ts'
import { inMsgDescrType } from '../../src/codec/tlb/InMsgDescr.ts'
import { shardFeesType, writeMcBlockExtra } from '../../src/codec/tlb/McBlockExtra.ts'
import { outMsgDescrType } from '../../src/codec/tlb/OutMsgDescr.ts'
import { buildShardHashes, type ShardLeaf } from '../../src/codec/tlb/ShardHashes.ts'
import { accountBlocksType } from '../../src/codec/tlb/Transaction.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../src/primitives/BlockId.ts'
import { sha256 } from '../../src/primitives/hash.ts'
import { findShardParent, shardChildren, wholeShard } from '../../src/primitives/shard.ts'
import { encodePackEntry } from './encodePack.ts'
import { amount, filled, marker } from './sampleMessages.ts'

export type SampleBlock = { readonly id: BlockIdExt; readonly bytes: Uint8Array; readonly proof: Uint8Array }

/** A masterchain block and the shard blocks that it is the first to include, parents first. */
export type SampleStep = { readonly masterchain: SampleBlock; readonly shardBlocks: readonly SampleBlock[] }

/**
 * What happens at a masterchain block: `0` to `3` that many new blocks in every shard, `s` and `m` the same as `1` with
 * every shard split, or every pair of shards merged, before.
 */
export type SamplePlan = string

const nothing = amount(0n)
const noMessages = {
  inMsgDescr: writeWhole(writeAugDict, AugDict.of(inMsgDescrType({ ihrFeeCounts: false }))),
  outMsgDescr: writeWhole(writeAugDict, AugDict.of(outMsgDescrType({ ihrFeeCounts: false }))),
  accountBlocks: writeWhole(writeAugDict, AugDict.of(accountBlocksType)),
}
const valueFlow = writeWhole(writeValueFlow, {
  fromPrevBlk: nothing,
  toNextBlk: nothing,
  imported: nothing,
  exported: nothing,
  feesCollected: nothing,
  burned: undefined,
  feesImported: nothing,
  recovered: nothing,
  created: nothing,
  minted: nothing,
})

export const zeroStateOf = (workchain: number): BlockIdExt => ({
  workchain,
  shard: wholeShard,
  seqno: 0,
  rootHash: filled(0x5a),
  fileHash: filled(0xa5),
})

const refTo = ({ seqno, rootHash, fileHash }: BlockIdExt): ExtBlkRef => ({
  endLt: BigInt(seqno) * 1000n,
  seqno,
  rootHash,
  fileHash,
})

const leafOf = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): ShardLeaf => ({
  workchain,
  shard,
  descr: {
    feesInRef: true,
    seqno,
    regMcSeqno: 1,
    startLt: 1n,
    endLt: 2n,
    rootHash,
    fileHash,
    beforeSplit: false,
    beforeMerge: false,
    wantSplit: false,
    wantMerge: false,
    nxCcUpdated: false,
    nextCatchainSeqno: 0,
    nextValidatorShard: wholeShard,
    minRefMcSeqno: 0,
    genUtime: 0,
    splitMergeAt: { kind: 'none' },
    feesCollected: nothing,
    fundsCreated: nothing,
  },
})

type BlockParts = {
  readonly workchain: number
  readonly shard: bigint
  readonly previous: readonly BlockIdExt[]
  /** The newest block of each shard, for a masterchain block. */
  readonly tops?: readonly BlockIdExt[]
  /** Blocks that differ only in this are two blocks at one place. */
  readonly seed?: number
}

/** A block without messages, with proper references to those before it. */
export const makeSampleBlock = ({ workchain, shard, previous, tops, seed = 0 }: BlockParts): SampleBlock => {
  const seqno = 1 + Math.max(...previous.map((id) => id.seqno))
  const afterMerge = previous.length === 2
  const info = writeWhole(writeBlockInfo, {
    version: 0,
    afterMerge,
    beforeSplit: false,
    afterSplit: !afterMerge && previous[0]!.shard !== shard,
    wantSplit: false,
    wantMerge: false,
    keyBlock: false,
    seqno,
    vertSeqno: 0,
    workchain,
    shard,
    genUtime: 1_700_000_000 + seqno,
    startLt: BigInt(seqno) * 1000n - 1n,
    endLt: BigInt(seqno) * 1000n,
    genValidatorListHashShort: 0,
    genCatchainSeqno: 0,
    minRefMcSeqno: 0,
    prevKeyBlockSeqno: 0,
    genSoftware: undefined,
    masterRef: tops === undefined ? refTo(zeroStateOf(-1)) : undefined,
    prevRef: prevRefCell(previous.map(refTo) as unknown as PrevBlocks),
    prevVertRef: undefined,
  })
  const custom =
    tops === undefined
      ? undefined
      : writeWhole(writeMcBlockExtra, {
          shardHashes: buildShardHashes(tops.map(leafOf)),
          shardFees: AugDict.of(shardFeesType),
          prevBlkSignatures: Dict.of(cryptoSignaturePairsType, []),
          recoverCreateMsg: undefined,
          mintMsg: undefined,
          config: undefined,
        })
  const extra = writeWhole(writeBlockExtra, { ...noMessages, randSeed: filled(seed), createdBy: filled(0), custom })
  const root = writeWhole(writeBlock, {
    globalId: -777,
    info,
    valueFlow,
    stateUpdate: buildMerkleUpdate(marker(seqno), marker(seqno + 1)),
    extra,
  })
  const bytes = encodeBoc([root], BLOCK_BOC)
  const id = { workchain, shard, seqno, rootHash: root.hash(), fileHash: sha256(bytes) }
  const proof = writeWhole(writeBlockProof, { proofFor: id, root: wrapMerkleProof(root), signatures: undefined })
  return { id, bytes, proof: encodeBoc([proof]) }
}

/** A chain of made-up blocks from its beginning, one masterchain block for each letter of the plan. */
export const makeSampleChain = (plan: SamplePlan): SampleStep[] => {
  let tops: BlockIdExt[] = [zeroStateOf(0)]
  let last = zeroStateOf(-1)
  return Array.from(plan, (letter) => {
    const shardBlocks: SampleBlock[] = []
    const add = (shard: bigint, previous: readonly BlockIdExt[]): BlockIdExt => {
      const block = makeSampleBlock({ workchain: 0, shard, previous })
      shardBlocks.push(block)
      return block.id
    }
    if (letter === 's') tops = tops.flatMap((top) => shardChildren(top.shard).map((shard) => add(shard, [top])))
    else if (letter === 'm')
      tops = pairsOf(tops).map(([left, right]) => add(findShardParent(left.shard)!, [left, right]))
    else {
      for (let k = 0; k < Number(letter); k++) tops = tops.map((top) => add(top.shard, [top]))
    }
    const masterchain = makeSampleBlock({ workchain: -1, shard: wholeShard, previous: [last], tops })
    last = masterchain.id
    return { masterchain, shardBlocks }
  })
}

const pairsOf = (tops: readonly BlockIdExt[]): (readonly [BlockIdExt, BlockIdExt])[] =>
  tops.flatMap((top, k) => (k % 2 === 0 ? [[top, tops[k + 1]!] as const] : []))

/** The entry of a block in a package. */
export const blockEntry = ({ id, bytes }: SampleBlock): Uint8Array =>
  encodePackEntry(`block_${formatBlockIdExt(id)}`, bytes)

/** The entry of its proof, which has no signatures whatever its kind says. */
export const proofEntry = ({ id, proof }: SampleBlock, kind: 'proof' | 'prooflink'): Uint8Array =>
  encodePackEntry(`${kind}_${formatBlockIdExt(id)}`, proof)
