import { randomBytes } from 'node:crypto'
import type { LiveChain } from '../../chain/LiveChain.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { RunMethod } from '../../contracts/getMethods.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { EmulationLimits } from '../../emulate/emulate.ts'
import {
  BlockTooNewError,
  EmulateRequestError,
  EmulationTimeoutError,
  NotAcceptedError,
  StateNotKeptError,
  UnsupportedWalletError,
} from '../../emulate/errors.ts'
import { type AddressedOverride, Simulation, type StartingPoint, type WorldBefore } from '../../emulate/Simulation.ts'
import type { ChainContexts, WorldChanges } from '../../emulate/World.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { Semaphore } from '../../primitives/scheduling.ts'
import type { Reader } from '../../store/connect/Database.ts'
import type { ActionRecord } from '../../store/reader/actions.ts'
import type { PendingTraces } from '../../store/reader/pending.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import type { TraceRecord } from '../../store/reader/traces.ts'
import type { Call } from '../core/Call.ts'
import { endpointFor } from '../core/Endpoint.ts'
import { ForbiddenError } from '../core/errors.ts'
import type { V3Settings } from '../v3/V3Context.ts'
import type { FixedBlock, WantedStart } from './params.ts'

/** Classifies a trace; contracts that the index does not know are asked themselves. */
export type ClassifyEmulated = (
  trace: TraceRecord,
  transactions: readonly TransactionRecord[],
  run: RunMethod,
) => Promise<readonly ActionRecord[]>

/** Dependencies of the emulation interface. */
export type EmulateParts = {
  readonly chain: Pick<LiveChain, 'withNode'>
  readonly vm: Pick<VirtualMachine, 'runTransaction' | 'runMethod' | 'recordTransaction'>
  readonly contexts: ChainContexts
  readonly decoder: BodyDecoder
  readonly classify: ClassifyEmulated
  /** Reads of the index; `undefined` without one. */
  readonly index: { readonly keyedReads: Reader; readonly listReads: Reader } | undefined
  readonly pending: PendingTraces
  /** The world just before a transaction. */
  findWorldBefore(hash: Uint8Array, signal: AbortSignal): Promise<WorldBefore>
  readonly settings: V3Settings
  /** Limits the emulations that run at a time. */
  readonly slots: Semaphore
  readonly call: Call
}

export const emulateEndpoint = endpointFor<EmulateParts>()

/** What a plan allows. */
type PlanLimits = {
  readonly steps: number
  readonly transactions: number
  readonly timeoutMs: number
  /** The scope `debug`: steps of the virtual machine. */
  readonly allSteps: boolean
  readonly pastBlocks: boolean
}

const DEFAULT_MS = 5000
const MAX_MS = 30_000
const whole: PlanLimits = { steps: 32, transactions: 1024, timeoutMs: MAX_MS, allSteps: true, pastBlocks: true }

const plans: ReadonlyMap<string, PlanLimits> = new Map([
  ['anonymous', { steps: 4, transactions: 64, timeoutMs: DEFAULT_MS, allSteps: false, pastBlocks: false }],
  ['free', { ...whole, steps: 8, transactions: 256 }],
])

/** A caller without a plan is on this machine, or the service has no limits. */
export const limitsOf = ({ plan }: Call): PlanLimits => (plan === undefined ? whole : (plans.get(plan) ?? whole))

/** Refuses the steps of a run to callers without the scope `debug`. */
export const expectDebugScope = (call: Call): void => {
  if (!limitsOf(call).allSteps) {
    throw new ForbiddenError('Steps of the virtual machine need an API key with the scope debug. Every plan has it.')
  }
}

/** The world that a request names. */
export type WorldArguments = {
  readonly mc_block_seqno?: number | undefined
  readonly at?: WantedStart
  readonly state_overrides: readonly AddressedOverride[]
  readonly config_overrides: WorldChanges['config']
  readonly libraries: WorldChanges['libraries']
  readonly block: FixedBlock
  /** The time that a request without the header gets, as far as its plan allows; 5 s. */
  readonly defaultMs?: number
  readonly limits: {
    readonly transactions?: number | undefined
    readonly depth?: number | undefined
    readonly gas?: number | undefined
  }
}

export type OpenedWorld = {
  readonly simulation: Simulation
  readonly randomSeed: Uint8Array
  /** Limits of the next run: what is left of the time. */
  limits(): EmulationLimits
}

const DEFAULT_TRANSACTIONS = 256
const DEFAULT_DEPTH = 32
const DEFAULT_GAS = 1_000_000_000
/** Share of the time for runs; the rest is for reading and writing. */
const RUN_SHARE = 0.8
const LEAST_MS = 20

/** Opens the world of a request for some work. Its failures are not those of the node, which would be asked again elsewhere. */
export const withWorld = async <T>(
  parts: EmulateParts,
  args: WorldArguments,
  work: (world: OpenedWorld) => Promise<T>,
): Promise<T> => {
  const { call, chain, vm, contexts, slots } = parts
  const plan = limitsOf(call)
  const timeoutMs = readTimeout(call, plan, args.defaultMs)
  const wanted = startOf(args)
  if (wanted !== undefined && !plan.pastBlocks) throw new ForbiddenError('Past blocks need an API key.')
  const { transactions = Math.min(DEFAULT_TRANSACTIONS, plan.transactions) } = args.limits
  if (transactions > plan.transactions)
    throw new ForbiddenError(`This plan runs at most ${plan.transactions} transactions.`)
  const endsAt = call.receivedAt + timeoutMs
  const timer = AbortSignal.timeout(Math.max(1, Math.ceil(endsAt - performance.now())))
  const signal = AbortSignal.any([timer, call.signal])
  const at = await openStart(parts, wanted, signal)
  const before = at !== undefined && 'before' in at ? at.before : undefined
  const { randomSeed = before?.randomSeed ?? new Uint8Array(randomBytes(32)) } = args.block
  const options = {
    at,
    overrides: args.state_overrides,
    changes: { config: args.config_overrides, libraries: args.libraries },
    now: args.block.now ?? before?.now,
    // The first transaction comes one after it.
    lt: args.block.lt ?? (before && before.lt - 1n),
    randomSeed,
    clock: Math.floor(Date.now() / 1000),
    signal,
  }
  const limits = (): EmulationLimits => ({
    transactions,
    depth: args.limits.depth ?? DEFAULT_DEPTH,
    gas: BigInt(args.limits.gas ?? DEFAULT_GAS),
    timeMs: Math.max(LEAST_MS, Math.floor(RUN_SHARE * (endsAt - performance.now()))),
  })
  try {
    const outcome = await slots(() =>
      chain.withNode({ signal }, (node) =>
        settle(async () =>
          work({ simulation: await Simulation.open(node, contexts, vm, options), randomSeed, limits }),
        ),
      ),
    )
    if ('error' in outcome) throw outcome.error
    return outcome.value
  } catch (error) {
    if (timer.aborted) throw new EmulationTimeoutError(timeoutMs)
    throw error
  }
}

const own = [BlockTooNewError, EmulateRequestError, NotAcceptedError, StateNotKeptError, UnsupportedWalletError]

type Settled<T> = { readonly value: T } | { readonly error: CodedError }

const settle = async <T>(work: () => Promise<T>): Promise<Settled<T>> => {
  try {
    return { value: await work() }
  } catch (error) {
    const isOfNode = error instanceof CodedError && /^(node_|proof_)/.test(error.code)
    if (!(error instanceof CodedError) || (isOfNode && !own.some((kind) => error instanceof kind))) throw error
    return { error }
  }
}

const openStart = async (
  { findWorldBefore }: EmulateParts,
  wanted: WantedStart,
  signal: AbortSignal,
): Promise<StartingPoint> =>
  wanted !== undefined && 'tx' in wanted ? { before: await findWorldBefore(wanted.tx, signal) } : wanted

const startOf = ({ mc_block_seqno: seqno, at }: WorldArguments): WantedStart => {
  if (seqno !== undefined && at !== undefined) throw new EmulateRequestError('mc_block_seqno and at exclude each other')
  return seqno === undefined ? at : { seqno }
}

/** Milliseconds, as the header of v3. */
const readTimeout = ({ headers }: Call, { timeoutMs: most }: PlanLimits, defaultMs = DEFAULT_MS): number => {
  const text = headers['x-timeout']
  if (typeof text !== 'string' || !/^[0-9]{1,10}$/.test(text)) return Math.min(most, defaultMs)
  return Math.min(most, Math.max(1, Number(text)))
}
