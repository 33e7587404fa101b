import type { BlockSignatures } from '../../../src/codec/tlb/BlockSignatures.ts'
import type { CheckedBlock } from '../../../src/devnet/store/ChainStore.ts'
import { formatBlockId, masterchain } from '../../../src/primitives/BlockId.ts'
import { CodedError } from '../../../src/primitives/errors.ts'
import { checkAccounts } from './accounts.ts'
import { NOTHING } from './amounts.ts'
import type { BlockContext, RuleOptions } from './BlockContext.ts'
import { type BlockView, viewBlock } from './BlockView.ts'
import { ChainMemory } from './ChainMemory.ts'
import { type ChainSource, ChainViews } from './ChainViews.ts'
import { checkCreateStats } from './createStats.ts'
import { checkDescriptionSums } from './descriptionSums.ts'
import { checkDispatchQueue } from './dispatchQueue.ts'
import { Findings } from './Findings.ts'
import { checkHeader } from './header.ts'
import { checkImports } from './imports.ts'
import { checkInMessages } from './inMessages.ts'
import { checkLibraries } from './libraries.ts'
import { checkLoadHistory } from './loadHistory.ts'
import { checkTimes, checkTransactionTimes } from './logicalTimes.ts'
import { checkConfig, checkMasterHistory } from './masterHistory.ts'
import { checkOutMessages } from './outMessages.ts'
import { checkOutQueue } from './outQueue.ts'
import { checkOldestReference } from './references.ts'
import { checkRegistration } from './registration.ts'
import { checkNextSession } from './sessions.ts'
import { checkSignatures } from './signatures.ts'
import { checkSpecialMessages } from './specialMessages.ts'
import { checkSplitAndMerge } from './splitAndMerge.ts'
import { checkStateSums } from './stateSums.ts'
import { checkStateUpdate } from './stateUpdate.ts'
import { checkSupply } from './supply.ts'
import { checkTickTock } from './tickTock.ts'
import { checkTransactionFees } from './transactionFees.ts'
import { checkValueFlow } from './valueFlow.ts'

/** A masterchain block with the shard blocks that it is the first to include, each after those it follows. */
export type StepToCheck = {
  readonly master: CheckedBlock
  readonly shardBlocks: readonly CheckedBlock[]
  readonly signatures: BlockSignatures | undefined
}

export type StepReport = {
  readonly violations: readonly string[]
  readonly transactions: number
  /** Entries in the descriptions of incoming and outgoing messages. */
  readonly messages: number
}

/** Checks the blocks of one step after another; what rules of whole chains need is kept from step to step. */
export class StepChecker {
  readonly memory = new ChainMemory()
  private readonly chain: ChainViews
  private readonly options: RuleOptions

  constructor(source: ChainSource, options: RuleOptions) {
    this.chain = new ChainViews(source)
    this.options = options
  }

  check({ master, shardBlocks, signatures }: StepToCheck): StepReport {
    const violations: string[] = []
    const views: BlockView[] = []
    for (const block of [...shardBlocks, master]) {
      const findings = new Findings(formatBlockId(block.id))
      guard(findings, 'block', () => {
        const view = viewBlock(block)
        const context = this.openContext(view)
        checkBlock(context, findings)
        if (block === master) checkMaster(context, views, signatures, findings)
        views.push(view)
      })
      violations.push(...findings.violations)
    }
    return {
      violations,
      transactions: views.reduce((sum, { transactions }) => sum + transactions.length, 0),
      messages: views.reduce((sum, { inMsgs, outMsgs }) => sum + inMsgs.size + outMsgs.size, 0),
    }
  }

  private openContext(block: BlockView): BlockContext {
    const { chain, memory, options } = this
    const { info, previous, id } = block
    const isMaster = info.workchain === masterchain
    const before = previous.map((each) => chain.getState(each))
    const reference = isMaster ? { id: previous[0]!, state: before[0]! } : chain.getMaster(info.masterRef?.seqno ?? 0)
    return {
      block,
      own: { workchain: info.workchain, shard: info.shard },
      isMaster,
      before,
      after: chain.getState(id),
      master: reference.state,
      masterId: reference.id,
      config: reference.state.master.config,
      chain,
      memory,
      options,
    }
  }
}

/** What cannot be read or found is a finding as well: nothing of it may end the check of the others. */
const guard = <T>(findings: Findings, rule: string, run: () => T): T | undefined => {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    findings.fail(rule, 'something that can be read', error.message)
    return undefined
  }
}

const blockRules: Readonly<Record<string, (context: BlockContext, findings: Findings) => void>> = {
  header: checkHeader,
  times: checkTimes,
  transactionTimes: checkTransactionTimes,
  tickTock: checkTickTock,
  loadHistory: checkLoadHistory,
  transactionFees: checkTransactionFees,
  inMessages: checkInMessages,
  outMessages: checkOutMessages,
  descriptionSums: checkDescriptionSums,
  imports: checkImports,
  outQueue: checkOutQueue,
  dispatchQueue: checkDispatchQueue,
  references: checkOldestReference,
  stateSums: checkStateSums,
  stateUpdate: checkStateUpdate,
  libraries: checkLibraries,
}

const masterRules: Readonly<Record<string, (context: BlockContext, findings: Findings) => void>> = {
  masterHistory: checkMasterHistory,
  config: checkConfig,
  nextSession: checkNextSession,
  specialMessages: checkSpecialMessages,
}

const checkBlock = (context: BlockContext, findings: Findings): void => {
  for (const [name, rule] of Object.entries(blockRules)) guard(findings, name, () => rule(context, findings))
  if (!context.isMaster) guard(findings, 'splitAndMerge', () => checkSplitAndMerge(context, findings))
  const added = guard(findings, 'accounts', () => checkAccounts(context, findings)) ?? NOTHING
  guard(findings, 'valueFlow', () => checkValueFlow(context, added, findings))
}

const checkMaster = (
  context: BlockContext,
  shardBlocks: readonly BlockView[],
  signatures: BlockSignatures | undefined,
  findings: Findings,
): void => {
  for (const [name, rule] of Object.entries(masterRules)) guard(findings, name, () => rule(context, findings))
  guard(findings, 'registration', () => checkRegistration(context, shardBlocks, findings))
  guard(findings, 'createStats', () => checkCreateStats(context, shardBlocks, findings))
  guard(findings, 'supply', () => checkSupply(context, shardBlocks, findings))
  guard(findings, 'signatures', () => checkSignatures(context, signatures, findings))
}

/** Checks one step by itself; rules that need what was before it, such as that a message comes only once, see little of it. */
export const checkStep = (
  step: StepToCheck,
  source: ChainSource,
  options: Partial<RuleOptions> = {},
): readonly string[] => new StepChecker(source, { allowDevControls: false, ...options }).check(step).violations
