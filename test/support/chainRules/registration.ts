import type { Cell } from '../../../src/codec/cell/Cell.ts'
import type { ShardHashes, ShardLeaf } from '../../../src/codec/tlb/ShardHashes.ts'
import { bytesEqual } from '../../../src/primitives/bytes.ts'
import { shardChildren } from '../../../src/primitives/shard.ts'
import { amountOf, amountOfMaybe, formatAmount, sameAmount, subtractAmount, sumAmounts } from './amounts.ts'
import type { BlockContext } from './BlockContext.ts'
import type { BlockView } from './BlockView.ts'
import type { Findings } from './Findings.ts'
import { factsOf, formatLeaf, type LeafFacts, type RegisteredLeaf, registerLeaf } from './shardLeaves.ts'
import { planLeaf } from './shardPlans.ts'

/** The shards of a masterchain block: the newest block of each, what is planned for it, and what its blocks collected. */
export const checkRegistration = (
  context: BlockContext,
  shardBlocks: readonly BlockView[],
  findings: Findings,
): void => {
  const { block, before, after } = context
  const rootOf = ({ root }: ShardHashes): Cell | undefined => root as Cell | undefined
  findings.equal('shard_hashes of the state', rootOf(after.master.extra.shardHashes), rootOf(block.master!.shardHashes))
  const { shards } = after.master
  const old = before[0]!.master.shards
  const leaves = shards.map((leaf) => registerLeaf(context, leaf, old, shardBlocks, findings))
  const included = leaves.flatMap(({ chain }) => chain.map(({ name }) => name))
  findings.sameKeys(
    'shard blocks that were included',
    shardBlocks.map(({ name }) => name),
    included,
  )
  leaves.forEach((leaf, k) => {
    compareLeaf(formatLeaf(leaf), factsOf(shards[k]!.descr), planLeaf(context, leaf, leaves), findings)
    for (const shardBlock of leaf.chain) checkFollows(context, shardBlock, leaf.chain, old, findings)
  })
  checkShardFees(context, leaves, findings)
  checkGlobalBalance(context, shardBlocks, findings)
  checkWorkchains(context, findings)
}

const compareLeaf = (name: string, found: LeafFacts, expected: LeafFacts, findings: Findings): void => {
  for (const field of Object.keys(expected) as (keyof LeafFacts)[]) {
    const [is, should] = [found[field], expected[field]].map((value) =>
      typeof value === 'object' && 'kind' in value ? JSON.stringify(value) : value,
    ) as [LeafFacts['fees'], LeafFacts['fees']]
    findings.equal(`${field} of shard ${name}`, is, should)
  }
}

/** An included block refers to an older masterchain block, and follows another included one or one that was known before. */
const checkFollows = (
  { block }: BlockContext,
  { info, previous, name }: BlockView,
  chain: readonly BlockView[],
  old: readonly ShardLeaf[],
  findings: Findings,
): void => {
  const reference = info.masterRef?.seqno ?? 0
  findings.isTrue(`master_ref of ${name}`, reference < block.info.seqno, `less than ${block.info.seqno}`, reference)
  if (previous.every((id) => chain.some((other) => bytesEqual(other.id.rootHash, id.rootHash)))) return
  const known = previous.map((id) => old.find((leaf) => bytesEqual(leaf.descr.rootHash, id.rootHash)))
  const leaves = known.filter((leaf) => leaf !== undefined)
  findings.equal(`blocks before ${name} that were known before`, leaves.length, previous.length)
  if (leaves.length === 0) return
  const session = Math.max(...leaves.map(({ descr }) => descr.nextCatchainSeqno)) + (info.afterMerge ? 1 : 0)
  findings.equal(`gen_catchain_seqno of ${name}, by the shards known before`, info.genCatchainSeqno, session)
  const isSplit = leaves.some(({ shard, descr }) => descr.beforeSplit && shardChildren(shard).includes(info.shard))
  findings.equal(`after_split of ${name}, by the shards known before`, info.afterSplit, isSplit)
}

/** An entry for every shard with new blocks, and one of nothing for a new workchain. */
const checkShardFees = ({ block }: BlockContext, leaves: readonly RegisteredLeaf[], findings: Findings): void => {
  const touched = leaves.filter(({ chain, isNewWorkchain }) => chain.length > 0 || isNewWorkchain)
  const show = (fees: LeafFacts['fees'], created: LeafFacts['fees']): string =>
    `fees ${formatAmount(fees)}, created ${formatAmount(created)}`
  const expected = new Map(touched.map((leaf) => [formatLeaf(leaf), show(leaf.facts.fees, leaf.facts.created)]))
  const found = new Map(
    block
      .master!.shardFees.entries()
      .map(([key, { fees, create }]) => [formatLeaf(key), show(amountOf(fees), amountOf(create))]),
  )
  findings.sameKeys('shard_fees', found.keys(), expected.keys())
  for (const [key, fees] of found)
    if (expected.has(key)) findings.equal(`shard_fees of ${key}`, fees, expected.get(key))
}

/** All money there ever was, less what was burned by hand. */
const checkGlobalBalance = (
  { block, before, after, options }: BlockContext,
  shardBlocks: readonly BlockView[],
  findings: Findings,
): void => {
  const { created, minted } = block.flow
  const byShards = block.master!.shardFees.rootExtra.create
  const old = before[0]!.master.extra.globalBalance
  const expected = sumAmounts([old, created, minted, byShards].map(amountOf))
  const found = amountOf(after.master.extra.globalBalance)
  const mintedByShards = sumAmounts(shardBlocks.map(({ flow }) => amountOf(flow.minted)))
  const burned = sumAmounts([block, ...shardBlocks].map(({ flow }) => amountOfMaybe(flow.burned)))
  const withHands = subtractAmount(sumAmounts([expected, mintedByShards]), burned)
  if (options.allowDevControls && sameAmount(found, withHands)) return
  findings.equal('global_balance', found, expected)
}

/** Every workchain that the configuration has in work has shards, from the first block on that may add it. */
const checkWorkchains = ({ block, after, config }: BlockContext, findings: Findings): void => {
  const active = [...config.workchains].filter(
    ([, { isActive, enabledSince }]) => isActive && enabledSince <= block.info.genUtime,
  )
  const there = new Set(after.master.shards.map(({ workchain }) => `${workchain}`))
  findings.sameKeys(
    'workchains',
    there,
    active.map(([workchain]) => `${workchain}`),
  )
}
