import type { ShardDescr, ShardLeaf } from '../../../src/codec/tlb/ShardHashes.ts'
import { type BlockId, formatBlockId } from '../../../src/primitives/BlockId.ts'
import { bytesEqual } from '../../../src/primitives/bytes.ts'
import { wholeShard } from '../../../src/primitives/shard.ts'
import { type Amount, amountOf, NOTHING, sumAmounts } from './amounts.ts'
import type { BlockContext } from './BlockContext.ts'
import type { BlockView } from './BlockView.ts'
import type { Findings } from './Findings.ts'

/** Nodes take in at most so many blocks of a shard at once. */
const MAX_CHAIN = 8

/** What the masterchain says of a shard, amounts as sums. */
export type LeafFacts = Omit<ShardDescr, 'feesCollected' | 'fundsCreated'> & {
  readonly fees: Amount
  readonly created: Amount
}

/** A leaf as the new blocks of its shard make it, before anything is planned for it. */
export type RegisteredLeaf = {
  readonly workchain: number
  readonly shard: bigint
  readonly facts: LeafFacts
  /** The blocks that are included now, newest first. */
  readonly chain: readonly BlockView[]
  readonly isNewWorkchain: boolean
}

export const factsOf = ({ feesCollected, fundsCreated, ...rest }: ShardDescr): LeafFacts => ({
  ...rest,
  fees: amountOf(feesCollected),
  created: amountOf(fundsCreated),
})

/** Finds out where a leaf of the new tree comes from: it stays, it is of a new workchain, or of blocks included now. */
export const registerLeaf = (
  context: BlockContext,
  { workchain, shard, descr }: ShardLeaf,
  old: readonly ShardLeaf[],
  shardBlocks: readonly BlockView[],
  findings: Findings,
): RegisteredLeaf => {
  const previous = old.filter((leaf) => leaf.workchain === workchain)
  const same = previous.find((leaf) => leaf.shard === shard)?.descr
  const leaf = { workchain, shard, chain: [], isNewWorkchain: false }
  if (same !== undefined && bytesEqual(same.rootHash, descr.rootHash)) return { ...leaf, facts: factsOf(same) }
  const top = shardBlocks.find(({ id }) => bytesEqual(id.rootHash, descr.rootHash))
  if (top === undefined) {
    const isNew = previous.length === 0 && descr.seqno === 0
    const name = formatBlockId({ workchain, shard, seqno: descr.seqno })
    findings.isTrue(`shard block ${name}`, isNew, 'one that is included now', 'none')
    return { ...leaf, facts: isNew ? newWorkchain(context, workchain) : factsOf(descr), isNewWorkchain: true }
  }
  const chain = listChain(top, shardBlocks)
  findings.isTrue(`blocks up to ${top.name}`, chain.length <= MAX_CHAIN, `at most ${MAX_CHAIN}`, chain.length)
  return { ...leaf, facts: newTop(context, top, chain, same), chain }
}

/** From a new top back over the blocks that are included with it; where two shards were merged, over both lines. */
const listChain = (top: BlockView, shardBlocks: readonly BlockView[]): BlockView[] => {
  const chain = [top]
  for (const block of chain) {
    for (const id of block.previous) {
      const previous = shardBlocks.find((other) => bytesEqual(other.id.rootHash, id.rootHash))
      if (previous !== undefined && !chain.includes(previous)) chain.push(previous)
    }
  }
  return chain
}

const sumFlows = (chain: readonly BlockView[], part: 'feesCollected' | 'created'): Amount =>
  sumAmounts(chain.map(({ flow }) => amountOf(flow[part])))

/** A shard that goes on keeps what was planned for it. */
const newTop = (
  { block }: BlockContext,
  { id, info }: BlockView,
  chain: readonly BlockView[],
  same: ShardDescr | undefined,
): LeafFacts => ({
  feesInRef: true,
  seqno: info.seqno,
  regMcSeqno: block.info.seqno,
  startLt: info.startLt,
  endLt: info.endLt,
  rootHash: id.rootHash,
  fileHash: id.fileHash,
  beforeSplit: info.beforeSplit,
  beforeMerge: false,
  wantSplit: info.wantSplit,
  wantMerge: info.wantMerge,
  nxCcUpdated: false,
  nextCatchainSeqno: info.genCatchainSeqno,
  nextValidatorShard: info.shard,
  minRefMcSeqno: info.minRefMcSeqno,
  genUtime: info.genUtime,
  splitMergeAt: same?.splitMergeAt ?? { kind: 'none' },
  fees: sumFlows(chain, 'feesCollected'),
  created: sumFlows(chain, 'created'),
})

const newWorkchain = ({ block, config }: BlockContext, workchain: number): LeafFacts => {
  const descr = config.workchains.get(workchain)
  return {
    feesInRef: false,
    seqno: 0,
    regMcSeqno: block.info.seqno,
    startLt: 0n,
    endLt: 0n,
    rootHash: descr?.zerostateRootHash ?? new Uint8Array(32),
    fileHash: descr?.zerostateFileHash ?? new Uint8Array(32),
    beforeSplit: false,
    beforeMerge: false,
    wantSplit: false,
    wantMerge: false,
    nxCcUpdated: false,
    nextCatchainSeqno: 0,
    nextValidatorShard: wholeShard,
    minRefMcSeqno: 0xffff_ffff,
    genUtime: 0,
    splitMergeAt: { kind: 'none' },
    fees: NOTHING,
    created: NOTHING,
  }
}

export const formatLeaf = ({ workchain, shard }: Omit<BlockId, 'seqno'>): string => `${workchain}:${shard.toString(16)}`
