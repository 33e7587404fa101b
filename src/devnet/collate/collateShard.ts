import { prevRefCell } from '../../codec/tlb/BlockInfo.ts'
import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import type { ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import { shardPrefixLength } from '../../primitives/shard.ts'
import { soleValidatorHash } from '../genesis/soleValidator.ts'
import type { BaseState } from './BaseState.ts'
import { BlockDraft } from './BlockDraft.ts'
import { blockSeed } from './blockSeed.ts'
import type { ExternalsDone } from './deliver.ts'
import { type FinishedBlock, finishBlock } from './finishBlock.ts'
import { processedBy } from './inbound.ts'
import { hasLasted, updateLoad } from './load.ts'
import type { MasterView } from './MasterView.ts'
import type { Neighbour } from './Neighbour.ts'
import { nextStartLt } from './nextLt.ts'
import { addProcessed, type FindEndLt } from './processed.ts'
import { findRunContext } from './runContext.ts'
import { type BlockOrder, runMessages } from './runMessages.ts'
import type { StepOrder } from './StepOrder.ts'

export type ShardOrder = BlockOrder & {
  readonly base: BaseState
  /** By which catchain number its validators are named. */
  readonly catchainSeqno: number
  /** What the masterchain plans for this shard; absent right after a split or merge. */
  readonly leaf: ShardLeaf | undefined
  /** All shards it takes messages from, itself left out. */
  readonly neighbours: readonly Neighbour[]
}

export type MadeShardBlock = FinishedBlock & ExternalsDone & { readonly draft: BlockDraft }

/** Makes the next block of a shard of the basechain. */
export const collateShard = async (
  step: StepOrder,
  master: MasterView,
  order: ShardOrder,
  findEndLt: FindEndLt,
): Promise<MadeShardBlock> => {
  const { base, neighbours } = order
  const { rules } = master
  const randSeed = blockSeed(step.seedSecret, base)
  const draft = new BlockDraft({
    base,
    rules,
    vm: step.vm,
    run: findRunContext(master, step.utime, randSeed),
    startLt: nextStartLt(master.ref.endLt, base.genLt),
    limits: rules.limits,
  })
  const ran = await runMessages(draft, order, { neighbours, findEndLt, holdInternal: step.holdInternal })
  const { isInboundEmpty } = ran
  const mcSeqno = master.id.seqno
  const procInfo = addProcessed(
    base.processed,
    processedBy(draft, { mcSeqno, mcLt: master.state.genLt, isInboundEmpty }),
  )
  const load = updateLoad(base.totals, draft)
  const finished = finishBlock(draft, {
    head: {
      version: 0,
      afterMerge: base.afterMerge,
      beforeSplit: isSplitting(order.leaf, step.utime),
      afterSplit: base.afterSplit,
      wantSplit: hasLasted(load.overloadHistory),
      wantMerge: hasLasted(load.underloadHistory),
      keyBlock: false,
      vertSeqno: 0,
      genUtime: step.utime,
      genValidatorListHashShort: soleValidatorHash(rules.validator, order.catchainSeqno),
      genCatchainSeqno: order.catchainSeqno,
      minRefMcSeqno: procInfo.entries().reduce((min, [key]) => Math.min(min, key.mcSeqno), mcSeqno),
      prevKeyBlockSeqno: master.keyBlockSeqno,
      genSoftware: rules.hasGenSoftware ? rules.version : undefined,
      masterRef: master.ref,
      prevRef: prevRefCell(base.prev),
      prevVertRef: undefined,
    },
    randSeed,
    createdBy: step.key.publicKey,
    procInfo,
    created: {
      grams: rules.createFees.basechainBlockFee >> BigInt(shardPrefixLength(base.ident.shard)),
      extra: NO_EXTRA_CURRENCIES,
    },
    feesImported: NOTHING,
    recovered: NOTHING,
    ...load,
    libraries: base.totals.libraries,
    masterRef: master.ref,
    makeCustom: () => undefined,
    blockCustom: undefined,
  })
  return { ...finished, ...ran, draft }
}

const NOTHING = { grams: 0n, extra: NO_EXTRA_CURRENCIES }

const isSplitting = (leaf: ShardLeaf | undefined, utime: number): boolean => {
  const plan = leaf?.descr.splitMergeAt
  return plan?.kind === 'split' && utime >= plan.utime && utime < plan.utime + plan.interval
}
