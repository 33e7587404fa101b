import { AugDict } from '../../codec/cell/AugDict.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { prevRefCell } from '../../codec/tlb/BlockInfo.ts'
import { cryptoSignaturePairsType } from '../../codec/tlb/BlockSignatures.ts'
import {
  addCurrency,
  type CurrencyCollection,
  NO_EXTRA_CURRENCIES,
  ZERO_CURRENCY,
} from '../../codec/tlb/CurrencyCollection.ts'
import { type ConfigParams, configDictType } from '../../codec/tlb/config/configParams.ts'
import { type ShardFees, shardFeesType, writeMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { writeMcStateExtra, writeMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import type { ProcessedInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { buildShardHashes, type ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import { type Libraries, libPublishersType, simpleLibsType } from '../../codec/tlb/StateInit.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { soleValidatorHash } from '../genesis/soleValidator.ts'
import { ChainDataError } from '../store/errors.ts'
import { advanceHistory } from './advanceHistory.ts'
import { type AdvancedShards, advanceShards, mintedByShards } from './advanceShards.ts'
import { continueShard, openNeighbour } from './BaseState.ts'
import { type AccountCache, BlockDraft } from './BlockDraft.ts'
import { blockSeed, findRunContext, hasLasted, type LoadHistory, nextStartLt, updateLoad } from './blockContext.ts'
import type { MadeShardBlock } from './collateShard.ts'
import { excessOfExtra, isZero, subtractCurrency } from './currencies.ts'
import { deliverSpecial, type ExternalsDone } from './deliver.ts'
import { type BlockHead, type FinishedBlock, finishBlock } from './finishBlock.ts'
import { findNetworkRules, type MasterView, type NetworkRules, openUnsplit } from './MasterView.ts'
import { addProcessed, type FindEndLt, type HopAddress, isInShard } from './messageQueue.ts'
import { type BlockRequest, type MessagesRun, processedBy, runMessages, specialMessage } from './runMessages.ts'
import type { StepRequest } from './StepRequest.ts'

export type NewConfig = { readonly params: ConfigParams; readonly rules: NetworkRules }

/** The configuration that the configuration contract now has, where it is another one and blocks can be made by it. */
const findNewConfig = (draft: BlockDraft, { configAddr, config }: ConfigParams): NewConfig | undefined => {
  const account = openAccount(draft.accounts.get(configAddr).current.account)
  if (account.kind !== 'account' || account.state.kind !== 'active') return undefined
  const { data } = account.state.init
  if (data === undefined || data.refCount === 0) return undefined
  const root = data.ref(0)
  if (config.root instanceof Cell && bytesEqual(root.hash(), config.root.hash())) return undefined
  const dict = new Dict(configDictType, root)
  const rules = findNetworkRules(dict)
  // We are the only holder of the validator key.
  const { publicKey } = draft.context.rules.validator
  if (rules === undefined || !bytesEqual(rules.validator.publicKey, publicKey)) return undefined
  return { params: { configAddr: rules.configAddress, config: dict }, rules }
}

type PublicLibraries = ReadonlyMap<string, { readonly hash: Uint8Array; readonly root: Cell }>

/** The libraries that masterchain accounts keep public, after the accounts of a block have changed. */
const updateLibraries = (libraries: Libraries, accounts: AccountCache): Libraries => {
  let updated = libraries
  for (const { hash, original, current } of accounts.list()) {
    const before = listPublic(original?.account)
    const after = listPublic(current.account)
    for (const [key, library] of before) if (!after.has(key)) updated = withdraw(updated, library.hash, hash)
    for (const [key, library] of after) if (!before.has(key)) updated = publish(updated, library, hash)
  }
  return updated
}

const listPublic = (cell: Cell | undefined): PublicLibraries => {
  const found = new Map<string, { hash: Uint8Array; root: Cell }>()
  const account = cell && openAccount(cell)
  if (account?.kind !== 'account' || account.state.kind !== 'active') return found
  const { library } = account.state.init
  if (library === undefined) return found
  new Dict(simpleLibsType, library).forEach((hash, { isPublic, root }) => {
    // A library counts under its own hash only.
    if (isPublic && bytesEqual(root.hash(), hash)) found.set(toHex(hash), { hash: hash.slice(), root })
  })
  return found
}

const publish = (
  libraries: Libraries,
  { hash, root }: { hash: Uint8Array; root: Cell },
  publisher: Uint8Array,
): Libraries => {
  const publishers = libraries.find(hash)?.publishers ?? new Dict(libPublishersType)
  return libraries.set(hash, { lib: root, publishers: publishers.set(publisher, true) })
}

const withdraw = (libraries: Libraries, hash: Uint8Array, publisher: Uint8Array): Libraries => {
  const known = libraries.find(hash)
  if (known === undefined) return libraries
  const publishers = known.publishers.delete(publisher)
  return publishers.isEmpty ? libraries.delete(hash) : libraries.set(hash, { ...known, publishers })
}

/** The InMsg of each message that a masterchain block makes by itself. */
type SpecialMessages = { readonly recoverCreateMsg: Cell | undefined; readonly mintMsg: Cell | undefined }

const NO_SENDER = { workchain: masterchain, hash: new Uint8Array(32) }
/** Smaller sums of fees stay where they are until they have grown. */
const LEAST_RECOVERED = 1_000_000_000n

/** The fees that are paid out to their collector with a block. */
const recoveredOf = ({ feeCollector }: NetworkRules, collected: CurrencyCollection): CurrencyCollection =>
  feeCollector === undefined || collected.grams < LEAST_RECOVERED ? ZERO_CURRENCY : collected

/** Pays out fees, and mints what the configuration wants there to be more of extra currencies. */
const deliverSpecials = async (
  draft: BlockDraft,
  { rules, extra }: MasterView,
  recovered: CurrencyCollection,
): Promise<SpecialMessages> => {
  const minted = { grams: 0n, extra: excessOfExtra(rules.toMint, extra.globalBalance.extra) }
  const { feeCollector, minter } = rules
  return {
    recoverCreateMsg: feeCollector && (await deliver(draft, feeCollector, recovered, ZERO_CURRENCY)),
    mintMsg: await deliver(draft, minter, minted, minted),
  }
}

const deliver = async (
  draft: BlockDraft,
  hash: Uint8Array,
  value: CurrencyCollection,
  minted: CurrencyCollection,
): Promise<Cell | undefined> => {
  if (isZero(value)) return undefined
  const { startLt, run } = draft.context
  const destination = { workchain: masterchain, hash }
  const message = specialMessage({ source: NO_SENDER, destination, value, bounce: true }, startLt, run.now)
  return deliverSpecial(draft, hash, message, minted)
}

/** Runs the special contracts that want to run at the beginning (tick) or the end (tock) of every masterchain block. */
const runTickTocks = async (draft: BlockDraft, kind: 'tick' | 'tock'): Promise<void> => {
  const lt = draft.maxLt
  const accounts = draft.context.rules.specialContracts.map((hash) => draft.accounts.get(hash))
  const wanting = accounts.filter(({ current }) => {
    const account = openAccount(current.account)
    return account.kind === 'account' && account.state.kind === 'active' && account.state.init.special?.[kind] === true
  })
  const runs = await Promise.all(wanting.map((account) => draft.run(account, { kind }, lt)))
  wanting.forEach((account, at) => {
    const run = runs[at]!
    if (run.kind !== 'executed') throw new ChainDataError(`A ${kind} was not executed: ${run.reason}.`)
    draft.take(account, run, 'start')
  })
}

export type MasterBlockRequest = BlockRequest & {
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
  step: StepRequest,
  master: MasterView,
  request: MasterBlockRequest,
  findEndLt: FindEndLt,
): Promise<MadeMasterBlock> => {
  const draft = startDraft(step, master, request)
  const { base } = draft.context
  const shardFees = feesOf(request.leaves)
  const amounts = amountsOf(master, shardFees, base.totals.totalValidatorFees)
  const { special, ...ran } = await runMaster(draft, step, master, { ...request, ...amounts }, findEndLt)

  const changed = findNewConfig(draft, master.extra.config)
  const isKeyBlock = changed !== undefined
  // Shards are planned with the new configuration; the block itself is made with the old one.
  const rules = changed?.rules ?? master.rules
  const advanced = advanceShards(request.leaves, rules, { isKeyBlock, before: base.genUtime, utime: step.utime })
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
      const block = { isKeyBlock, shardBlocks: request.shardBlocks.length, creator, utime: step.utime }
      return writeWhole(writeMcStateExtra, {
        shardHashes,
        config: changed?.params ?? master.extra.config,
        history: writeWhole(writeMcStateHistory, advanceHistory(master, advanced, block)),
        globalBalance: balanceAfter(master, draft, request, [amounts.created, shardFees.rootExtra.create]),
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

const startDraft = (step: StepRequest, master: MasterView, { shardBlocks }: MasterBlockRequest): BlockDraft => {
  const base = continueShard({ id: master.id, state: master.root })
  return new BlockDraft({
    base,
    rules: master.rules,
    vm: step.vm,
    run: findRunContext(master, step.utime, blockSeed(step.seedSecret, base)),
    startLt: nextStartLt(base.genLt, ...shardBlocks.map(({ block }) => block.info.endLt)),
    limits: master.rules.masterLimits,
    gaps: step.gaps,
  })
}

const runMaster = async (
  draft: BlockDraft,
  { holdInternal }: StepRequest,
  master: MasterView,
  request: MasterBlockRequest & Amounts,
  findEndLt: FindEndLt,
): Promise<MessagesRun & { readonly special: SpecialMessages }> => {
  let special: SpecialMessages = { recoverCreateMsg: undefined, mintMsg: undefined }
  const neighbours = request.shardBlocks.map(({ state }) => openNeighbour(openUnsplit(state)))
  const findEndLtHere: FindEndLt = (mcSeqno, hop) =>
    mcSeqno === draft.context.base.seqno ? endLtAmong(request.leaves, draft, hop) : findEndLt(mcSeqno, hop)
  const ran = await runMessages(
    draft,
    request,
    { neighbours, findEndLt: findEndLtHere, holdInternal },
    {
      begin: async () => {
        await runTickTocks(draft, 'tick')
        special = await deliverSpecials(draft, master, request.recovered)
        // System transactions of every block are not events.
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
const endLtAmong = (leaves: readonly ShardLeaf[], draft: BlockDraft, hop: HopAddress): bigint => {
  if (hop.workchain === masterchain) return draft.maxLt
  return leaves.find((leaf) => isInShard(leaf, hop))?.descr.endLt ?? 0n
}

/** All the money there is, which by hand may also come into being and go in shards. */
const balanceAfter = (
  { extra }: MasterView,
  draft: BlockDraft,
  { shardBlocks }: MasterBlockRequest,
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
