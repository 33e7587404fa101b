import type { Cell } from '../../codec/cell/Cell.ts'
import { breakSlabChain } from '../../codec/cell/CellWriter.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { openMcStateExtra } from '../../codec/tlb/McStateExtra.ts'
import { listShards, type ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import type { Address } from '../../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { findShardParent, shardChildren } from '../../primitives/shard.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { newWorkchainLeaf, registerBlock } from './advanceShards.ts'
import {
  type BaseState,
  continueShard,
  cutShard,
  joinShards,
  type Neighbour,
  openNeighbour,
  type ShardTop,
} from './BaseState.ts'
import { collateMaster } from './collateMaster.ts'
import { collateShard, type ShardBlockRequest } from './collateShard.ts'
import { getState, type MasterView, openMasterView, openUnsplit } from './MasterView.ts'
import { type FindEndLt, isInShard, listQueue } from './messageQueue.ts'
import type { MakeStep, RefusedExternal, StepRequest } from './StepRequest.ts'
import { signBlock } from './signBlock.ts'

/** Measures for how long at least one of several overlapping pieces of work was under way. */
class BusyClock {
  private running = 0
  private since = 0
  private total = 0

  get ms(): number {
    return this.total + (this.running > 0 ? performance.now() - this.since : 0)
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.running++ === 0) this.since = performance.now()
    try {
      return await work()
    } finally {
      if (--this.running === 0) this.total += performance.now() - this.since
    }
  }
}

/** A shard that is to get a block, and the leaf of the masterchain that it continues unchanged, if it does. */
type PlannedShard = { readonly base: BaseState; readonly leaf: ShardLeaf | undefined; readonly catchainSeqno: number }

export const makeStep: MakeStep = async (given) => {
  const { store, vm } = given
  breakSlabChain()
  const clock = new BusyClock()
  const runTransaction: typeof vm.runTransaction = (call) => clock.during(() => vm.runTransaction(call))
  let request: StepRequest = { ...given, vm: { runTransaction } }
  const master = openMasterView(store)
  const leaves = listShards(master.extra.shardHashes)
  const findEndLt = createEndLtFinder(store)
  const planned = planShardBlocks(store, leaves)
  const tops = leaves.map((leaf) => openNeighbour(openUnsplit(getState(store, idOf(leaf)))))
  const neighbours = [openNeighbour(master.state), ...tops]
  // Shard blocks of one step are independent.
  const collateShards = () =>
    Promise.all(
      planned.map((shard) =>
        collateShard(request, master, shardRequest(request, shard, planned, neighbours), findEndLt),
      ),
    )
  let shardBlocks = await collateShards()
  for (;;) {
    const leftOut = await given.beforeCommit?.(shardBlocks)
    if (leftOut === undefined) break
    request = { ...request, externals: request.externals.filter(({ hash }) => !leftOut.has(hash)) }
    shardBlocks = await collateShards()
  }
  const mcSeqno = master.id.seqno + 1
  const made = await collateMaster(
    request,
    master,
    {
      leaves: [
        ...shardBlocks.map((block, at) => registerBlock(block, planned[at]!.leaf, mcSeqno)),
        ...newWorkchains(master, leaves, mcSeqno),
      ],
      shardBlocks,
      ...requestsFor(request, (address) => address.workchain === masterchain),
    },
    findEndLt,
  )
  const all = [...shardBlocks, made]
  return {
    step: {
      master: made.block,
      shardBlocks: shardBlocks.map(({ block }) => block),
      ...signBlock(made.block, request.key),
    },
    included: new Set(all.flatMap(({ included }) => included)),
    refused: [...all.flatMap(({ refused }) => refused), ...homeless(request, planned)],
    transactions: all.reduce((sum, { draft }) => sum + draft.transactions, 0),
    userTransactions: all.reduce((sum, { draft }) => sum + draft.userTransactions, 0),
    hasMore: hasPlans(made.state) || all.some(({ state }) => openNeighbour(openUnsplit(state)).messages.length > 0),
    vmMs: clock.ms,
  }
}

const idOf = ({ workchain, shard, descr: { seqno, rootHash, fileHash } }: ShardLeaf): BlockIdExt => ({
  workchain,
  shard,
  seqno,
  rootHash,
  fileHash,
})

/** Which shards get a block: those there are, the halves of those that split, the parents of those that merge. */
const planShardBlocks = (store: ChainStore, leaves: readonly ShardLeaf[]): PlannedShard[] =>
  leaves.flatMap((leaf): PlannedShard[] => {
    const top: ShardTop = { id: idOf(leaf), state: getState(store, idOf(leaf)) }
    const catchainSeqno = leaf.descr.nextCatchainSeqno
    if (leaf.descr.beforeSplit) {
      return shardChildren(leaf.shard).map((shard) => ({ base: cutShard(top, shard), leaf: undefined, catchainSeqno }))
    }
    if (!leaf.descr.beforeMerge) return [{ base: continueShard(top), leaf, catchainSeqno }]
    const [left, right] = shardChildren(findShardParent(leaf.shard)!)
    // A pair is handled once, at its left half.
    if (leaf.shard !== left) return []
    const other = leaves.find(({ workchain, shard }) => workchain === leaf.workchain && shard === right)!
    const joined = joinShards(top, { id: idOf(other), state: getState(store, idOf(other)) })
    const highest = Math.max(catchainSeqno, other.descr.nextCatchainSeqno)
    return [{ base: joined, leaf: undefined, catchainSeqno: highest + 1 }]
  })

const shardRequest = (
  request: StepRequest,
  { base, leaf, catchainSeqno }: PlannedShard,
  planned: readonly PlannedShard[],
  neighbours: readonly Neighbour[],
): ShardBlockRequest => ({
  base,
  leaf,
  catchainSeqno,
  neighbours: neighboursOf(base, planned, neighbours),
  ...requestsFor(request, ({ workchain, hash }) => isInShard(base.ident, { workchain, prefix: getU64BE(hash, 0) })),
})

/**
 * The neighbour queues of a shard. After a split its sibling has the other half of the parent's queue;
 * after a merge both halves are in its own.
 */
const neighboursOf = (
  { ident, prev, afterSplit }: BaseState,
  planned: readonly PlannedShard[],
  neighbours: readonly Neighbour[],
): Neighbour[] => {
  const parent = afterSplit ? findShardParent(ident.shard) : undefined
  const isReplaced = ({ workchain, shard }: Neighbour['ident']): boolean =>
    workchain === ident.workchain &&
    (shard === ident.shard || shard === parent || (prev.length === 2 && findShardParent(shard) === ident.shard))
  const others = neighbours.filter((neighbour) => !isReplaced(neighbour.ident))
  if (parent === undefined) return others
  const sibling = planned.find(
    ({ base }) => base.afterSplit && base.ident.shard !== ident.shard && findShardParent(base.ident.shard) === parent,
  )!.base
  const { genLt: endLt, processed, outQueue } = sibling
  return [...others, { ident: sibling.ident, endLt, processed, messages: listQueue(outQueue) }]
}

const requestsFor = (
  { externals, injected, overrides, imports = [] }: StepRequest,
  isMine: (address: Address) => boolean,
) => ({
  externals: externals.filter(({ destination }) => isMine(destination)),
  injected: injected.filter(({ destination }) => isMine(destination)),
  overrides: overrides.filter(({ address }) => isMine(address)),
  imports: imports.filter(({ address }) => isMine(address)),
})

/** Whether shards are about to split or merge. */
const hasPlans = (masterState: Cell): boolean =>
  listShards(openMcStateExtra(openUnsplit(masterState).custom!).shardHashes).some(
    ({ descr }) => descr.beforeSplit || descr.beforeMerge || descr.splitMergeAt.kind !== 'none',
  )

/** Messages to workchains that there are none of. Before the first masterchain block the basechain is yet to come. */
const homeless = ({ externals }: StepRequest, planned: readonly PlannedShard[]): RefusedExternal[] =>
  externals
    .filter(({ destination: { workchain } }) => workchain !== masterchain && workchain !== 0)
    .filter(({ destination: { workchain } }) => planned.every(({ base }) => base.ident.workchain !== workchain))
    .map(({ hash, destination }) => ({ hash, reason: `There is no workchain ${destination.workchain}.` }))

const newWorkchains = ({ rules }: MasterView, leaves: readonly ShardLeaf[], mcSeqno: number): ShardLeaf[] =>
  rules.workchains
    .filter(([workchain, { isActive }]) => isActive && leaves.every((leaf) => leaf.workchain !== workchain))
    .map(([workchain, descr]) => newWorkchainLeaf(workchain, descr, mcSeqno))

/** Looks up in masterchain blocks how far the shards had come by them. */
const createEndLtFinder = (store: ChainStore): FindEndLt => {
  const known = new Map<number, { readonly endLt: bigint; readonly leaves: readonly ShardLeaf[] }>()
  const open = (seqno: number) => {
    const block = store.findMaster(seqno)
    if (block === undefined) return { endLt: 0n, leaves: [] }
    const { custom } = openBlockExtra(openBlock(store.getRoot(block.id)).extra)
    return { endLt: block.endLt, leaves: listShards(openMcBlockExtra(custom!).shardHashes) }
  }
  return (mcSeqno, hop) => {
    const found = known.get(mcSeqno) ?? open(mcSeqno)
    known.set(mcSeqno, found)
    if (hop.workchain === masterchain) return found.endLt
    const leaf = found.leaves.find(({ workchain, shard }) => isInShard({ workchain, shard }, hop))
    return leaf?.descr.endLt ?? 0n
  }
}
