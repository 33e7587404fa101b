import { AugDict } from '../../codec/cell/AugDict.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { prevRefCell } from '../../codec/tlb/BlockInfo.ts'
import { cryptoSignaturePairsType } from '../../codec/tlb/BlockSignatures.ts'
import { addCurrency, type CurrencyCollection, NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import { type ShardFees, shardFeesType, writeMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { writeMcStateExtra, writeMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import type { ProcessedInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { buildShardHashes, type ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { soleValidatorHash } from '../genesis/soleValidator.ts'
import { advanceHistory } from './advanceHistory.ts'
import { type AdvancedShards, advanceShards } from './advanceShards.ts'
import { continueShard } from './BaseState.ts'
import { BlockDraft } from './BlockDraft.ts'
import { blockSeed } from './blockSeed.ts'
import type { MadeShardBlock } from './collateShard.ts'
import { subtractCurrency } from './currencies.ts'
import type { ExternalsDone } from './deliver.ts'
import { findNewConfig } from './findNewConfig.ts'
import { type BlockHead, type FinishedBlock, finishBlock } from './finishBlock.ts'
import { processedBy } from './inbound.ts'
import { hasLasted, type LoadHistory, updateLoad } from './load.ts'
import { type MasterView, openUnsplit } from './MasterView.ts'
import { openNeighbour } from './Neighbour.ts'
import { nextStartLt } from './nextLt.ts'
import { addProcessed, type FindEndLt } from './processed.ts'
import { updateLibraries } from './publicLibraries.ts'
import { mintedByShards } from './registerShards.ts'
import { type HopAddress, isInShard } from './route.ts'
import { findRunContext } from './runContext.ts'
import { type BlockOrder, type MessagesRun, runMessages } from './runMessages.ts'
import type { StepOrder } from './StepOrder.ts'
import { deliverSpecials, recoveredOf, type SpecialMessages } from './specialMessages.ts'
import { runTickTocks } from './tickTock.ts'

export type MasterOrder = BlockOrder & {
  /** The shards as they are with this block, new workchains among them, not yet planned for. */
  readonly leaves: readonly ShardLeaf[]
  readonly shardBlocks: readonly MadeShardBlock[]
}

export type MadeMasterBlock = FinishedBlock & ExternalsDone & { readonly draft: BlockDraft }

/** The amounts of a masterchain block that do not come from its transactions. */
type Amounts = {
  readonly created: CurrencyCollection
  readonly feesImported: CurrencyCollection
  readonly recovered: CurrencyCollection
}

/** Makes the next masterchain block, which includes the shard blocks of the step. */
export const collateMaster = async (
  step: StepOrder,
  master: MasterView,
  order: MasterOrder,
  findEndLt: FindEndLt,
): Promise<MadeMasterBlock> => {
  const draft = startDraft(step, master, order)
  const { base } = draft.context
  const shardFees = feesOf(order.leaves)
  const amounts = amountsOf(master, shardFees, base.totals.totalValidatorFees)
  const { special, ...ran } = await runMaster(draft, step, master, { ...order, ...amounts }, findEndLt)

  const changed = findNewConfig(draft, master.extra.config)
  const isKeyBlock = changed !== undefined
  // Shards are already planned for by the new configuration, whereas the block itself is made by the old one.
  const rules = changed?.rules ?? master.rules
  const advanced = advanceShards(order.leaves, rules, { isKeyBlock, before: base.genUtime, utime: step.utime })
  const shardHashes = buildShardHashes(advanced.leaves)
  const added = processedBy(draft, { mcSeqno: base.seqno, mcLt: base.genLt, isInboundEmpty: ran.isInboundEmpty })
  const procInfo = addProcessed(base.processed, added)
  const load = updateLoad(base.totals, draft)
  const creator = step.key.publicKey
  const finished = finishBlock(draft, {
    head: headOf(draft, master, { isKeyBlock, utime: step.utime, load, procInfo, advanced }),
    randSeed: draft.context.run.randomSeed,
    createdBy: creator,
    procInfo,
    ...amounts,
    ...load,
    libraries: updateLibraries(base.totals.libraries, draft.accounts),
    masterRef: undefined,
    makeCustom: () => {
      const block = { isKeyBlock, shardBlocks: order.shardBlocks.length, creator, utime: step.utime }
      return writeWhole(writeMcStateExtra, {
        shardHashes,
        config: changed?.params ?? master.extra.config,
        history: writeWhole(writeMcStateHistory, advanceHistory(master, advanced, block)),
        globalBalance: balanceAfter(master, draft, order, [amounts.created, shardFees.rootExtra.create]),
      })
    },
    blockCustom: writeWhole(writeMcBlockExtra, {
      shardHashes,
      shardFees,
      prevBlkSignatures: new Dict(cryptoSignaturePairsType),
      ...special,
      config: changed?.params,
    }),
  })
  return { ...finished, ...ran, draft }
}

const startDraft = (step: StepOrder, master: MasterView, { shardBlocks }: MasterOrder): BlockDraft => {
  const base = continueShard({ id: master.id, state: master.root })
  return new BlockDraft({
    base,
    rules: master.rules,
    vm: step.vm,
    run: findRunContext(master, step.utime, blockSeed(step.seedSecret, base)),
    startLt: nextStartLt(base.genLt, ...shardBlocks.map(({ block }) => block.info.endLt)),
    limits: master.rules.masterLimits,
  })
}

const runMaster = async (
  draft: BlockDraft,
  { holdInternal }: StepOrder,
  master: MasterView,
  order: MasterOrder & Amounts,
  findEndLt: FindEndLt,
): Promise<MessagesRun & { readonly special: SpecialMessages }> => {
  let special: SpecialMessages = { recoverCreateMsg: undefined, mintMsg: undefined }
  const neighbours = order.shardBlocks.map(({ state }) => openNeighbour(openUnsplit(state)))
  const findEndLtHere: FindEndLt = (mcSeqno, place) =>
    mcSeqno === draft.context.base.seqno ? endLtAmong(order.leaves, draft, place) : findEndLt(mcSeqno, place)
  const ran = await runMessages(
    draft,
    order,
    { neighbours, findEndLt: findEndLtHere, holdInternal },
    {
      begin: async () => {
        await runTickTocks(draft, 'tick')
        special = await deliverSpecials(draft, master, order.recovered)
        // What the network does by itself in every block is no event.
        draft.userTransactions = 0
      },
      end: () => runTickTocks(draft, 'tock'),
    },
  )
  return { ...ran, special }
}

const feesOf = (leaves: readonly ShardLeaf[]): ShardFees =>
  AugDict.of(
    shardFeesType,
    leaves.map(({ workchain, shard, descr }) => [
      { workchain, shard },
      { fees: descr.feesCollected, create: descr.fundsCreated },
    ]),
  )

const amountsOf = ({ rules }: MasterView, { rootExtra }: ShardFees, waiting: CurrencyCollection): Amounts => {
  const created = { grams: rules.createFees.masterchainBlockFee, extra: NO_EXTRA_CURRENCIES }
  const feesImported = rootExtra.fees
  return { created, feesImported, recovered: recoveredOf(rules, [created, feesImported, waiting].reduce(addCurrency)) }
}

/** The end lt of a place as this very block has it: of the masterchain itself, that is what will be its own. */
const endLtAmong = (leaves: readonly ShardLeaf[], draft: BlockDraft, place: HopAddress): bigint => {
  if (place.workchain === masterchain) return draft.maxLt
  return leaves.find((leaf) => isInShard(leaf, place))?.descr.endLt ?? 0n
}

/** All the money there is, which by hand may also come into being and go in shards. */
const balanceAfter = (
  { extra }: MasterView,
  draft: BlockDraft,
  { shardBlocks }: MasterOrder,
  created: readonly CurrencyCollection[],
): CurrencyCollection => {
  const { minted, burned } = mintedByShards(shardBlocks)
  const more = [...created, draft.minted, minted].reduce(addCurrency, extra.globalBalance)
  return subtractCurrency(more, addCurrency(draft.burned, burned))
}

type HeadFacts = {
  readonly isKeyBlock: boolean
  readonly utime: number
  readonly load: LoadHistory
  readonly procInfo: ProcessedInfo
  readonly advanced: AdvancedShards
}

const headOf = (
  { context: { base } }: BlockDraft,
  { history, rules, keyBlockSeqno }: MasterView,
  { isKeyBlock, utime, load, procInfo, advanced }: HeadFacts,
): BlockHead => {
  const { catchainSeqno } = history.validatorInfo
  return {
    version: 0,
    afterMerge: false,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: hasLasted(load.overloadHistory),
    wantMerge: hasLasted(load.underloadHistory),
    keyBlock: isKeyBlock,
    vertSeqno: 0,
    genUtime: utime,
    genValidatorListHashShort: soleValidatorHash(rules.validator, catchainSeqno),
    genCatchainSeqno: catchainSeqno,
    minRefMcSeqno: Math.min(
      base.seqno,
      ...advanced.leaves.map(({ descr }) => descr.minRefMcSeqno),
      ...procInfo.entries().map(([key]) => key.mcSeqno),
    ),
    prevKeyBlockSeqno: keyBlockSeqno,
    genSoftware: rules.hasGenSoftware ? rules.version : undefined,
    masterRef: undefined,
    prevRef: prevRefCell(base.prev),
    prevVertRef: undefined,
  }
}
