import type { FutureSplitMerge, ShardLeaf } from '../../../src/codec/tlb/ShardHashes.ts'
import { shardChildren, shardPrefixLength } from '../../../src/primitives/shard.ts'
import type { BlockContext } from './BlockContext.ts'
import type { Findings } from './Findings.ts'

/** A shard block is where the masterchain state that it refers to expects one: no split or merge without its word. */
export const checkSplitAndMerge = (context: BlockContext, findings: Findings): void => {
  const { block, own, master, config } = context
  const { info } = block
  const leaves = master.master.shards.filter(({ workchain }) => workchain === own.workchain)
  const exact = leaves.find(({ shard }) => shard === own.shard)
  const halves = leaves.filter(({ shard }) => shardChildren(own.shard).includes(shard))
  const parent = leaves.find(({ shard }) => shardChildren(shard).includes(own.shard))
  if (info.afterMerge) {
    findings.equal('after_merge, halves known to the masterchain', halves.length, 2)
    for (const { shard, descr } of halves) {
      findings.equal(`before_merge of ${shard.toString(16)} for after_merge`, descr.beforeMerge, true)
      const previous = block.previous.find((id) => id.shard === shard)
      findings.equal('block that is merged', previous?.rootHash, descr.rootHash)
      findings.isTrue('window of the merge', isOpen(descr.splitMergeAt, 'merge', info.genUtime), 'open', info.genUtime)
    }
  } else if (info.afterSplit) {
    findings.equal('before_split of the parent for after_split', parent?.descr.beforeSplit, true)
    findings.equal('block that is split', block.previous[0]?.rootHash, parent?.descr.rootHash)
  } else checkContinued(info.seqno, exact, parent, halves, findings)
  if (!info.beforeSplit) return
  const leaf = exact ?? parent
  const isSplitOpen = leaf !== undefined && isOpen(leaf.descr.splitMergeAt, 'split', info.genUtime)
  findings.isTrue('window of the split for before_split', isSplitOpen, 'open', info.genUtime)
  const maxSplit = config.workchains.get(own.workchain)?.maxSplit ?? 0
  const depth = shardPrefixLength(own.shard)
  findings.isTrue('depth of the shard for before_split', depth < maxSplit, `less than ${maxSplit}`, depth)
}

const isOpen = (future: FutureSplitMerge, kind: 'split' | 'merge', utime: number): boolean =>
  future.kind === kind && utime >= future.utime && utime < future.utime + future.interval

/** A block that goes on with its shard: the masterchain knows that shard, or how it came from others. */
const checkContinued = (
  seqno: number,
  exact: ShardLeaf | undefined,
  parent: ShardLeaf | undefined,
  halves: readonly ShardLeaf[],
  findings: Findings,
): void => {
  if (exact !== undefined) {
    findings.isTrue('seq_no', seqno > exact.descr.seqno, `more than the ${exact.descr.seqno} known before`, seqno)
    findings.equal('before_split of the own shard', exact.descr.beforeSplit, false)
    findings.equal('before_merge of the own shard', exact.descr.beforeMerge, false)
    return
  }
  const isSplit = parent?.descr.beforeSplit === true
  const isMerged = halves.length === 2 && halves.every(({ descr }) => descr.beforeMerge)
  findings.isTrue('shard', isSplit || isMerged, 'one that the masterchain knows', 'one that it does not')
}
