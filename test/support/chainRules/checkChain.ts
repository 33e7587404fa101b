import { type ChainStore, checkBlock } from '../../../src/devnet/store/ChainStore.ts'
import { ChainDataError } from '../../../src/devnet/store/errors.ts'
import type { BlockIdExt } from '../../../src/primitives/BlockId.ts'
import type { RuleOptions } from './BlockContext.ts'
import type { ChainSource } from './ChainViews.ts'
import { StepChecker, type StepToCheck } from './checkStep.ts'
import { checkFirstStates } from './firstStates.ts'

export type ChainReport = {
  readonly blocks: number
  readonly transactions: number
  readonly messages: number
  /** Internal messages that nobody sent. */
  readonly injected: number
  /** Accounts changed without a transaction. */
  readonly overrides: number
  readonly violations: readonly string[]
}

export type ChainRange = Partial<RuleOptions> & {
  /** The first masterchain block; 1 where it is not said. */
  readonly fromSeqno?: number
  /** The last one; the head where it is not said. */
  readonly toSeqno?: number
}

export const sourceOf = (store: ChainStore): ChainSource => ({
  findState: (id) => store.findState(id),
  findMasterId: (seqno) => (seqno === 0 ? store.zeroState : store.findMaster(seqno)?.id),
})

/** A masterchain block of the store with its shard blocks and signatures. */
export const stepOf = (store: ChainStore, seqno: number): StepToCheck => {
  const open = (id: BlockIdExt) => {
    const bytes = store.findBytes(id)
    if (bytes === undefined) throw new ChainDataError(`A block of masterchain step ${seqno} is not in the store.`)
    return checkBlock(bytes, id)
  }
  const master = store.findMaster(seqno)
  if (master === undefined) throw new ChainDataError(`Masterchain block ${seqno} is not in the store.`)
  return {
    master: open(master.id),
    shardBlocks: store.index.listIncluded(seqno).map(({ id }) => open(id)),
    signatures: store.findSignatures(seqno),
  }
}

/**
 * Checks all rules of the reference on every block of a range. The store must have kept all states. Each rule is recomputed from
 * the block and the states before and after it; nothing of the code that makes blocks is used.
 */
export const checkChain = async (store: ChainStore, range: ChainRange = {}): Promise<ChainReport> => {
  const { fromSeqno = 1, toSeqno = store.head?.id.seqno ?? 0, allowDevControls = false } = range
  const checker = new StepChecker(sourceOf(store), { allowDevControls })
  const violations = fromSeqno === 1 ? checkFirstStates(store.zeroStates, checker.memory.knownNodes) : []
  let [blocks, transactions, messages] = [0, 0, 0]
  for (let seqno = fromSeqno; seqno <= toSeqno; seqno++) {
    const step = stepOf(store, seqno)
    const report = checker.check(step)
    violations.push(...report.violations)
    blocks += 1 + step.shardBlocks.length
    transactions += report.transactions
    messages += report.messages
    // Long chains take a while: let others have their turn.
    await new Promise(setImmediate)
  }
  const { injected, overrides } = checker.memory
  return { blocks, transactions, messages, injected, overrides, violations }
}
