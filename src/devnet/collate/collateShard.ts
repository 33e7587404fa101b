import { prevRefCell } from '../../codec/tlb/BlockInfo.ts'
import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import type { ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import { shardPrefixLength } from '../../primitives/shard.ts'
import { soleValidatorHash } from '../genesis/soleValidator.ts'
import type { BaseState, Neighbour } from './BaseState.ts'
import { BlockDraft } from './BlockDraft.ts'
import { blockSeed, findRunContext, hasLasted, nextStartLt, updateLoad } from './blockContext.ts'
import type { ExternalsDone } from './deliver.ts'
import { type FinishedBlock, finishBlock } from './finishBlock.ts'
import type { MasterView } from './MasterView.ts'
import { addProcessed, type FindEndLt } from './messageQueue.ts'
import { type BlockRequest, processedBy, runMessages } from './runMessages.ts'
import type { StepRequest } from './StepRequest.ts'

export type ShardBlockRequest = BlockRequest & {
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
  step: StepRequest,
  master: MasterView,
  request: ShardBlockRequest,
  findEndLt: FindEndLt,
): Promise<MadeShardBlock> => {
  const { base, neighbours } = request
  const { rules } = master
  const randSeed = blockSeed(step.seedSecret, base)
  const draft = new BlockDraft({
    base,
    rules,
    vm: step.vm,
    run: findRunContext(master, step.utime, randSeed),
    startLt: nextStartLt(master.ref.endLt, base.genLt),
    limits: rules.limits,
    gaps: step.gaps,
  })
  const ran = await runMessages(draft, request, { neighbours, findEndLt, holdInternal: step.holdInternal })
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
      beforeSplit: isSplitting(request.leaf, step.utime),
      afterSplit: base.afterSplit,
      wantSplit: hasLasted(load.overloadHistory),
      wantMerge: hasLasted(load.underloadHistory),
      keyBlock: false,
      vertSeqno: 0,
      genUtime: step.utime,
      genValidatorListHashShort: soleValidatorHash(rules.validator, request.catchainSeqno),
      genCatchainSeqno: request.catchainSeqno,
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
