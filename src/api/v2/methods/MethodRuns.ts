import type { LiveNode } from '../../../chain/LiveChain.ts'
import type { ContractState, MethodRun, VirtualMachine } from '../../../chain/ports.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { type VmStack, writeVmStack } from '../../../codec/tlb/VmStack.ts'
import { MAX_ARGUMENT_BYTES } from '../../../codec/tlb/VmValue.ts'
import { formatRawAddress } from '../../../primitives/Address.ts'
import { CodedError } from '../../../primitives/errors.ts'
import { toHex } from '../../../primitives/hex.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { refuseArgument } from '../stack/refuseArgument.ts'
import { type HeadContext, HeadContexts, toRunContext } from './HeadContexts.ts'
import { SharedWork } from './SharedWork.ts'

export type MethodRunsOptions = {
  readonly vm: VirtualMachine
  readonly maxBytes: number
}

/** A get-method of a contract as it was at some time. */
export type MethodQuestion = {
  readonly contract: ContractState
  /** Time of that state, in seconds. */
  readonly now: number
  readonly methodId: number
  readonly stack: VmStack
}

const gasLimit = 1_000_000

/**
 * Runs get-methods, each once. A run that looked at nothing but its own contract and its arguments is kept until the
 * configuration changes; any other until the next masterchain block.
 */
export class MethodRuns {
  readonly heads = new HeadContexts()
  private readonly vm: VirtualMachine
  private readonly kept: LruCache<MethodRun>
  private readonly underWay = new SharedWork<MethodRun>()

  constructor({ vm, maxBytes }: MethodRunsOptions) {
    this.vm = vm
    this.kept = new LruCache(maxBytes)
  }

  async run(node: LiveNode, question: MethodQuestion, signal: AbortSignal): Promise<MethodRun> {
    const stackKey = hashArguments(question.stack)
    const head = await this.heads.get(node)
    const { lasting, passing } = keysOf(question, stackKey, head)
    const kept = this.kept.find(lasting) ?? this.kept.find(passing)
    if (kept !== undefined) return kept
    return this.underWay.run(passing, signal, async (own) => {
      const { contract, methodId, stack, now } = question
      const context = toRunContext(node, head, now)
      const run = await this.vm.runMethod({ contract, methodId, stack, gasLimit, context, log: 'none' }, own)
      this.kept.set(run.dependsOnBlock ? passing : lasting, run, sizeOf(run))
      return run
    })
  }
}

const keysOf = (
  { contract, methodId, now }: MethodQuestion,
  stackKey: string,
  { head, configKey }: HeadContext,
): { readonly lasting: string; readonly passing: string } => {
  const { address, code, data, balance } = contract
  const own = [formatRawAddress(address), toHex(code.hash()), toHex(data.hash()), methodId, stackKey]
  const lasting = [configKey, ...own].join(' ')
  const extra: string[] = []
  balance.extra.forEach((id, amount) => void extra.push(`${id}=${amount}`))
  return { lasting, passing: [toHex(head.rootHash), now, balance.grams, extra.join(), ...own].join(' ') }
}

/** Names the arguments, and refuses those that the virtual machine has no room for. */
const hashArguments = (stack: VmStack): string => {
  try {
    const cell = writeWhole((w, entries: VmStack) => writeVmStack(w, entries), stack)
    const bytes = stack.length === 0 ? 0 : encodeBoc([cell]).length
    if (bytes > MAX_ARGUMENT_BYTES) {
      throw refuseArgument(`Invalid stack: it takes ${bytes} bytes, the limit is ${MAX_ARGUMENT_BYTES}.`)
    }
    return toHex(cell.hash())
  } catch (error) {
    if (!(error instanceof CodedError) || error instanceof RefusedRequestError) throw error
    throw refuseArgument(`Invalid stack: ${error.message}`)
  }
}

/** About as much as the cells of its result hold in memory, and what an entry costs besides. */
const sizeOf = ({ stack }: MethodRun): number => {
  const arenas = new Set<object>()
  let bytes = 1000
  const count = (values: VmStack): void => {
    for (const value of values) {
      bytes += 100
      if (value.kind === 'tuple') count(value.items)
      const arena = value.kind === 'cell' ? value.cell.arena : value.kind === 'slice' ? value.slice.arena : undefined
      if (arena === undefined || arenas.has(arena)) continue
      arenas.add(arena)
      bytes += 4 * arena.bytes.length
    }
  }
  count(stack)
  return bytes
}
