import { AugDict } from '../../codec/cell/AugDict.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { prevRefCell } from '../../codec/tlb/BlockInfo.ts'
import { type ConfigParams, configDictType } from '../../codec/tlb/ConfigParams.ts'
import { cryptoSignaturePairsType } from '../../codec/tlb/CryptoSignature.ts'
import {
  addCurrency,
  type CurrencyCollection,
  NO_EXTRA_CURRENCIES,
  ZERO_CURRENCY,
} from '../../codec/tlb/CurrencyCollection.ts'
import { writeMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { writeMcStateExtra } from '../../codec/tlb/McStateExtra.ts'
import { writeMcStateHistory } from '../../codec/tlb/McStateHistory.ts'
import { type ShardFees, shardFeesType } from '../../codec/tlb/ShardFees.ts'
import { buildShardHashes, type ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { soleValidatorHash } from '../genesis/soleValidatorHash.ts'
import { continueShard } from './BaseState.ts'
import { BlockDraft } from './BlockDraft.ts'
import { blockSeed } from './blockSeed.ts'
import type { MadeShardBlock } from './collateShard.ts'
import { updateCreateStats } from './createStats.ts'
import { excessOfExtra, isZero, subtractCurrency } from './currencies.ts'
import { deliverExternals, deliverNew, deliverQueued, deliverSpecial, type ExternalsDone } from './deliver.ts'
import { type FinishedBlock, finishBlock } from './finishBlock.ts'
import { dequeueDelivered, listInbound, processedBy } from './inbound.ts'
import { injectMessages, specialMessage } from './injectMessages.ts'
import { hasLasted, updateLoad } from './load.ts'
import { type MasterView, openUnsplit } from './MasterView.ts'
import { type Neighbour, openNeighbour } from './Neighbour.ts'
import { findNetworkRules, type NetworkRules } from './NetworkRules.ts'
import { nextStartLt } from './nextLt.ts'
import { overrideAccounts } from './overrideAccounts.ts'
import { planShards, shardPlanRules } from './planShards.ts'
import { addProcessed, type FindEndLt } from './processed.ts'
import { updateLibraries } from './publicLibraries.ts'
import { bumpCatchain, mintedByShards } from './registerShards.ts'
import { type HopAddress, isInShard } from './route.ts'
import { findRunContext } from './runContext.ts'
import type { AccountOverride, ExternalMessage, InjectedMessage, StepOrder } from './StepOrder.ts'
import { runTickTocks } from './tickTock.ts'

export type MasterOrder = {
  /** The shards as they are with this block, not yet planned for. */
  readonly leaves: readonly ShardLeaf[]
  /** New workchains among them: they have no block, but an entry of zero fees. */
  readonly shardBlocks: readonly MadeShardBlock[]
  readonly externals: readonly ExternalMessage[]
  readonly injected: readonly InjectedMessage[]
  readonly overrides: readonly AccountOverride[]
}

export type MadeMasterBlock = FinishedBlock & ExternalsDone & { readonly draft: BlockDraft }

const NO_SENDER = { workchain: masterchain, hash: new Uint8Array(32) }
/** Smaller sums of fees stay where they are until they have grown. */
const LEAST_RECOVERED = 1_000_000_000n

/** Makes the next masterchain block, which includes the shard blocks of the step. */
export const collateMaster = async (
  step: StepOrder,
  master: MasterView,
  order: MasterOrder,
  findEndLt: FindEndLt,
): Promise<MadeMasterBlock> => {
  const { rules, history, extra } = master
  const { utime } = step
  const base = continueShard({ id: master.id, state: master.root })
  const shardFees = feesOf(order)
  const randSeed = blockSeed(step.seedSecret, base)
  const draft = new BlockDraft({
    base,
    rules,
    vm: step.vm,
    run: findRunContext(master, utime, randSeed),
    startLt: nextStartLt(base.genLt, ...order.shardBlocks.map(({ block }) => block.info.endLt)),
    limits: rules.masterLimits,
  })
  const created = { grams: rules.createFees.masterchainBlockFee, extra: NO_EXTRA_CURRENCIES }
  const feesImported = shardFees.rootExtra.fees
  const recovered = recoveredOf(master, [created, feesImported, base.totals.totalValidatorFees].reduce(addCurrency))

  const own = openNeighbour(master.state)
  const neighbours: readonly Neighbour[] = [
    own,
    ...order.shardBlocks.map(({ state }) => openNeighbour(openUnsplit(state))),
  ]
  const findEndLtHere: FindEndLt = (mcSeqno, place) =>
    mcSeqno === base.seqno ? endLtAmong(order.leaves, draft, place) : findEndLt(mcSeqno, place)
  overrideAccounts(draft, order.overrides)
  dequeueDelivered(draft, own.messages, neighbours, findEndLtHere)
  await runTickTocks(draft, 'tick')
  const special = await deliverSpecials(draft, master, recovered)
  const ownTransactions = draft.userTransactions
  const { waiting, passed } = listInbound(draft, neighbours, findEndLtHere)
  for (const message of passed) draft.pass(message)
  const delivered = step.holdInternal ? 0 : await deliverQueued(draft, waiting)
  const isInboundEmpty = delivered === waiting.length
  await injectMessages(draft, order.injected)
  const externals = await deliverExternals(draft, order.externals)
  await deliverNew(draft, { enqueueOnly: !isInboundEmpty || step.holdInternal })
  await runTickTocks(draft, 'tock')
  await deliverNew(draft, { enqueueOnly: true })
  draft.userTransactions -= ownTransactions

  const changed = findNewConfig(draft, extra.config)
  const config = changed?.config
  const isKeyBlock = changed !== undefined
  // Shards are already planned for by the new configuration, whereas the block itself is made by the old one.
  const { catchain, workchains } = changed?.rules ?? rules
  const bumpsMaster = isKeyBlock || hasTurned(base.genUtime, utime, catchain.mcCatchainLifetime)
  const bumpsShards = isKeyBlock || hasTurned(base.genUtime, utime, catchain.shardCatchainLifetime)
  const planned = planAll(order.leaves, workchains, utime)
  const leaves = bumpsShards ? planned.map(bumpCatchain) : planned
  const shardHashes = buildShardHashes(leaves)

  const mcSeqno = base.seqno
  const procInfo = addProcessed(base.processed, processedBy(draft, { mcSeqno, mcLt: base.genLt, isInboundEmpty }))
  const load = updateLoad(base.totals, draft)
  const lastKeyBlock = history.afterKeyBlock ? master.ref : history.lastKeyBlock
  const { minted, burned } = mintedByShards(order.shardBlocks)
  const finished = finishBlock(draft, {
    head: {
      version: 0,
      afterMerge: false,
      beforeSplit: false,
      afterSplit: false,
      wantSplit: hasLasted(load.overloadHistory),
      wantMerge: hasLasted(load.underloadHistory),
      keyBlock: isKeyBlock,
      vertSeqno: 0,
      genUtime: utime,
      genValidatorListHashShort: soleValidatorHash(rules.validatorKey, history.validatorInfo.catchainSeqno),
      genCatchainSeqno: history.validatorInfo.catchainSeqno,
      minRefMcSeqno: Math.min(
        mcSeqno,
        ...leaves.map(({ descr }) => descr.minRefMcSeqno),
        ...procInfo.entries().map(([key]) => key.mcSeqno),
      ),
      prevKeyBlockSeqno: lastKeyBlock?.seqno ?? 0,
      genSoftware: rules.hasGenSoftware ? rules.version : undefined,
      masterRef: undefined,
      prevRef: prevRefCell(base.prev),
      prevVertRef: undefined,
    },
    randSeed,
    createdBy: step.key.publicKey,
    procInfo,
    created,
    feesImported,
    recovered,
    ...load,
    libraries: updateLibraries(base.totals.libraries, draft.accounts),
    masterRef: undefined,
    makeCustom: () =>
      writeWhole(writeMcStateExtra, {
        shardHashes,
        config: config ?? extra.config,
        history: writeWhole(writeMcStateHistory, {
          validatorInfo: {
            validatorListHashShort: soleValidatorHash(rules.validatorKey, 0),
            catchainSeqno: history.validatorInfo.catchainSeqno + (bumpsMaster ? 1 : 0),
            nxCcUpdated: bumpsMaster && bumpsShards,
          },
          prevBlocks: history.prevBlocks.set(master.id.seqno, { isKey: history.afterKeyBlock, block: master.ref }),
          afterKeyBlock: isKeyBlock,
          lastKeyBlock,
          blockCreateStats: rules.hasCreateStats
            ? updateCreateStats(history.blockCreateStats, step.key.publicKey, order.shardBlocks.length, utime)
            : undefined,
        }),
        globalBalance: subtractCurrency(
          [created, draft.minted, shardFees.rootExtra.create, minted].reduce(addCurrency, extra.globalBalance),
          addCurrency(draft.burned, burned),
        ),
      }),
    blockCustom: writeWhole(writeMcBlockExtra, {
      shardHashes,
      shardFees,
      prevBlkSignatures: new Dict(cryptoSignaturePairsType),
      ...special,
      config,
    }),
  })
  return { ...finished, ...externals, draft }
}

const feesOf = ({ leaves }: MasterOrder): ShardFees =>
  AugDict.of(
    shardFeesType,
    leaves.map(({ workchain, shard, descr }) => [
      { workchain, shard },
      { fees: descr.feesCollected, create: descr.fundsCreated },
    ]),
  )

/** The fees that are paid out to their collector with this block. */
const recoveredOf = ({ rules }: MasterView, collected: CurrencyCollection): CurrencyCollection =>
  rules.feeCollector === undefined || collected.grams < LEAST_RECOVERED ? ZERO_CURRENCY : collected

type SpecialMessages = { readonly recoverCreateMsg: Cell | undefined; readonly mintMsg: Cell | undefined }

const deliverSpecials = async (
  draft: BlockDraft,
  { rules, extra }: MasterView,
  recovered: CurrencyCollection,
): Promise<SpecialMessages> => {
  const deliver = async (
    hash: Uint8Array,
    value: CurrencyCollection,
    minted: CurrencyCollection,
  ): Promise<Cell | undefined> => {
    if (isZero(value)) return undefined
    const destination = { workchain: masterchain, hash }
    const { startLt, run } = draft.context
    const message = specialMessage({ source: NO_SENDER, destination, value, bounce: true }, startLt, run.now)
    return deliverSpecial(draft, hash, message, minted)
  }
  const minted = { grams: 0n, extra: excessOfExtra(rules.toMint, extra.globalBalance.extra) }
  const recoverCreateMsg = rules.feeCollector && (await deliver(rules.feeCollector, recovered, ZERO_CURRENCY))
  return { recoverCreateMsg, mintMsg: await deliver(rules.minter, minted, minted) }
}

/** The end lt of a place as this very block has it: of the masterchain itself, that is what will be its own. */
const endLtAmong = (leaves: readonly ShardLeaf[], draft: BlockDraft, place: HopAddress): bigint => {
  if (place.workchain === masterchain) return draft.maxLt
  return leaves.find(({ workchain, shard }) => isInShard({ workchain, shard }, place))?.descr.endLt ?? 0n
}

/** The configuration that the configuration contract now has, where it is another one and blocks can be made by it. */
const findNewConfig = (
  draft: BlockDraft,
  { configAddr, config }: ConfigParams,
): { readonly config: ConfigParams; readonly rules: NetworkRules } | undefined => {
  const account = openAccount(draft.accounts.get(configAddr).current.account)
  if (account.kind !== 'account' || account.state.kind !== 'active') return undefined
  const { data } = account.state.init
  if (data === undefined || data.refCount === 0) return undefined
  const root = data.ref(0)
  if (config.root instanceof Cell && bytesEqual(root.hash(), config.root.hash())) return undefined
  const dict = new Dict(configDictType, root)
  const rules = findNetworkRules(dict)
  // The key of the validator is in nobody's hands but ours.
  if (rules === undefined || !bytesEqual(rules.validatorKey, draft.context.rules.validatorKey)) return undefined
  return { config: { configAddr: rules.configAddress, config: dict }, rules }
}

/** Whether a period that divides time evenly has ended between two times. */
const hasTurned = (before: number, now: number, period: number): boolean =>
  Math.floor(now / period) > Math.floor(before / period)

const planAll = (leaves: readonly ShardLeaf[], workchains: NetworkRules['workchains'], utime: number): ShardLeaf[] =>
  workchains.flatMap(([workchain, descr]) =>
    planShards(
      leaves.filter((leaf) => leaf.workchain === workchain),
      shardPlanRules(descr),
      utime,
    ),
  )
