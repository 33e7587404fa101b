import type { LiveNode } from '../../../chain/LiveChain.ts'
import type {
  ContractState,
  MethodCall,
  MethodRun,
  PreviousBlocks,
  RunContext,
  VirtualMachine,
} from '../../../chain/ports.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { detachVmStack, type VmStack, writeVmStack } from '../../../codec/tlb/VmStack.ts'
import { MAX_ARGUMENT_BYTES, type VmValue } from '../../../codec/tlb/VmValue.ts'
import { formatRawAddress } from '../../../primitives/Address.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { deriveOnce } from '../../../primitives/deriveOnce.ts'
import { CodedError } from '../../../primitives/errors.ts'
import { toHex } from '../../../primitives/hex.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import { SingleFlight } from '../../../primitives/SingleFlight.ts'
import { onAbort } from '../../../primitives/scheduling.ts'
import { RefusedRequestError } from '../errors.ts'
import { configRoot } from '../readAccount.ts'
import { refuseArgument } from './readStack.ts'

/** Context of get-methods after the newest masterchain block. */
type HeadContext = {
  readonly head: BlockIdExt
  readonly config: Cell
  /** Hash of the configuration. */
  readonly configKey: string
  readonly previousBlocks: PreviousBlocks
}

/** A small parameter that every network has: its proof contains the hash of the whole configuration. */
const globalVersionParam = 8

/** Reads it once per block, with the configuration cached by hash: it is large and rarely changes. */
class HeadContexts {
  private kept: { readonly key: string; readonly config: Cell } | undefined
  private newest: HeadContext | undefined

  async get(node: LiveNode): Promise<HeadContext> {
    const head = await node.getHead()
    if (this.newest?.head !== head) this.newest = await this.read(node, head)
    return this.newest
  }

  private async read(node: LiveNode, head: BlockIdExt): Promise<HeadContext> {
    const [part, previousBlocks] = await Promise.all([
      node.getConfig([globalVersionParam], head),
      node.getPreviousBlocks(head),
    ])
    const configKey = toHex(configRoot(part).hash(0))
    const config = this.kept?.key === configKey ? this.kept.config : configRoot(await node.getConfig(undefined, head))
    this.kept = { key: configKey, config }
    return { head, config, configKey, previousBlocks }
  }
}

const NO_SEED = new Uint8Array(32)

/** The VM context of a run; `now` is the time of the account state. */
export const toRunContext = (
  node: LiveNode,
  { head, config, previousBlocks }: HeadContext,
  now: number,
): RunContext => ({
  config,
  now,
  randomSeed: NO_SEED,
  previousBlocks,
  findLibrary: async (hash) => {
    const [found] = await node.getPublicLibraries([hash], head)
    return found?.library
  },
})

export type MethodRunnerOptions = {
  readonly vm: VirtualMachine
  readonly maxBytes: number
  /** False: every call is a run of its own. */
  readonly reuseResults?: boolean
}

/** A get-method call on a contract state. */
export type MethodRequest = {
  readonly contract: ContractState
  /** Unix time of that state. */
  readonly now: number
  readonly methodId: number
  readonly stack: VmStack
}

const gasLimit = 1_000_000

/** A result, and what else than the contract, the arguments and the configuration it holds for; '' if nothing. */
type KeptResult = { readonly run: MethodRun; readonly holdsFor: string }

/**
 * Runs get-methods, each once. A result is cached by what its run looked at: its contract, arguments and the configuration alone, time
 * and balance as well, or also the last blocks and libraries, in which case it holds until the next masterchain block.
 */
export class MethodRunner {
  readonly heads = new HeadContexts()
  private readonly vm: VirtualMachine
  private readonly kept: LruCache<KeptResult>
  private readonly reuseResults: boolean
  /** Long runs under way, each with the signal of the caller that started it. */
  private readonly underWay = new SingleFlight<{
    readonly result: Promise<MethodRun>
    readonly beganWith: AbortSignal
  }>()

  constructor({ vm, maxBytes, reuseResults = true }: MethodRunnerOptions) {
    this.vm = vm
    this.kept = new LruCache(maxBytes)
    this.reuseResults = reuseResults
  }

  /** The signal of the caller is read only if the run is long. */
  async run(node: LiveNode, request: MethodRequest, caller: { readonly signal: AbortSignal }): Promise<MethodRun> {
    const stackKey = argumentsKey(request.stack)
    const head = await this.heads.get(node)
    const { contract, methodId, stack, now } = request
    const context = toRunContext(node, head, now)
    const call: MethodCall = { contract, methodId, stack, gasLimit, context, log: 'none' }
    if (!this.reuseResults) return this.vm.runShortMethod(call) ?? this.vm.runMethod(call, caller.signal)
    const key = `${head.configKey} ${contractKey(contract)} ${methodId} ${stackKey}`
    const kept = this.kept.find(key)
    if (kept !== undefined && stillHolds(kept.holdsFor, request, head)) return kept.run
    const short = this.vm.runShortMethod(call)
    if (short !== undefined) return this.keep(key, request, head, short)
    return this.share(`${key} ${ofBlock(request, head)}`, caller.signal, async (own) => {
      return this.keep(key, request, head, await this.vm.runMethod(call, own))
    })
  }

  private async share(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<MethodRun>,
  ): Promise<MethodRun> {
    signal.throwIfAborted()
    const flight = this.underWay.join(key, (own) => ({ result: work(own.signal), beganWith: signal }))
    const { result, beganWith } = flight.work
    let leave: (() => void) | undefined
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        reject(signal.reason)
        this.underWay.leave(key, flight, signal.reason)
      }
    })
    const stay = onAbort(signal, leave!)
    try {
      return await Promise.race([result, left])
    } catch (error) {
      if (signal.aborted || beganWith === signal || !beganWith.aborted) throw error
      // It failed because the caller that started it has gone: run it again for this one.
      return await this.share(key, signal, work)
    } finally {
      stay()
    }
  }

  private keep(key: string, request: MethodRequest, head: HeadContext, run: MethodRun): MethodRun {
    const { previousBlocks, libraries, time, balance } = run.reads
    const holdsFor =
      previousBlocks || libraries ? ofBlock(request, head) : time || balance ? ofMoment(request) : ofContract
    try {
      const own = { ...run, stack: detachVmStack(run.stack) }
      this.kept.set(key, { run: own, holdsFor }, sizeOf(own))
      return own
    } catch (error) {
      // Values that no tree of cells can hold are not kept.
      if (!(error instanceof CodedError)) throw error
      return run
    }
  }
}

const ofContract = ''

const ofMoment = ({ now, contract: { balance } }: MethodRequest): string => {
  const extra: string[] = []
  balance.extra.forEach((id, amount) => void extra.push(`${id}=${amount}`))
  return `${now} ${balance.grams} ${extra.join()}`
}

const ofBlock = (request: MethodRequest, { head }: HeadContext): string =>
  `${toHex(head.rootHash)} ${ofMoment(request)}`

const stillHolds = (holdsFor: string, request: MethodRequest, head: HeadContext): boolean =>
  holdsFor === ofContract || holdsFor === ofMoment(request) || holdsFor === ofBlock(request, head)

const contractKey = deriveOnce(({ address, code, data }: ContractState): string =>
  [formatRawAddress(address), toHex(code.hash()), toHex(data.hash())].join(' '),
)

/** So many small numbers are within all limits. */
const FEW_NUMBERS = 16

const isSmallNumber = (value: VmValue): boolean =>
  value.kind === 'int' && BigInt.asIntN(64, value.value) === value.value

/** Names the arguments; refuses arguments that are too large for the VM. */
const argumentsKey = (stack: VmStack): string => {
  if (stack.length <= FEW_NUMBERS && stack.every(isSmallNumber)) return listNumbers(stack)
  try {
    const cell = writeWhole((w, entries: VmStack) => writeVmStack(w, entries), stack)
    const bytes = encodeBoc([cell]).length
    if (bytes > MAX_ARGUMENT_BYTES) {
      throw refuseArgument(`Invalid stack: it takes ${bytes} bytes, the limit is ${MAX_ARGUMENT_BYTES}.`)
    }
    return toHex(cell.hash())
  } catch (error) {
    if (!(error instanceof CodedError) || error instanceof RefusedRequestError) throw error
    throw refuseArgument(`Invalid stack: ${error.message}`)
  }
}

const listNumbers = (stack: VmStack): string => {
  let list = '#'
  for (const value of stack) if (value.kind === 'int') list += `${value.value},`
  return list
}

/** Approximate memory of the cells of the result, plus the overhead of an entry. */
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
