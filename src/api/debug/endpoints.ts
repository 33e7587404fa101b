import { Type } from 'typebox'
import { MAX_RECORDED_STEPS, type RecordOptions, type VmRecording } from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { DebugTarget } from '../../debug/Debugger.ts'
import { TooManyStepsError } from '../../debug/errors.ts'
import { changeConfig } from '../../debug/replay/changes.ts'
import type { ReplayChanges } from '../../debug/replay/replayTransaction.ts'
import { type SourceMap, SourcePositions } from '../../debug/sources/SourceMap.ts'
import { applyOverride } from '../../emulate/overrides.ts'
import type { AddressedOverride } from '../../emulate/Simulation.ts'
import { type Address, addressesEqual, formatRawAddress } from '../../primitives/Address.ts'
import { ParseError } from '../../primitives/errors.ts'
import { conflictingParams } from '../core/errors.ts'
import { AddressParam, HashParam, optional, param, withDefault } from '../core/params.ts'
import { expectDebugScope } from '../emulate/EmulateContext.ts'
import { worldParams } from '../emulate/params.ts'
import { type DebugContext, debugEndpoint } from './debugEndpoint.ts'
import { ReplayView, StepsView, toReplayView } from './views.ts'
import { toVmView } from './vmViews.ts'

const LtParam = param(
  Type.String({ pattern: '^[0-9]{1,20}$', description: 'Logical time.', examples: ['1000001'] }),
  BigInt,
)

export const StepsParam = param(
  Type.Union([Type.Literal('none'), Type.Literal('summary'), Type.Literal('all')], {
    description: 'none: no recording; summary: gas, coverage and failure; all: also the steps.',
  }),
)
const FromParam = param(Type.Integer({ minimum: 0, maximum: 0x7fff_ffff, description: 'First step.' }))
const CountParam = param(Type.Integer({ minimum: 1, maximum: MAX_RECORDED_STEPS, description: 'Steps in a page.' }))
const PathParam = param(
  Type.String({
    description:
      'Steps of the run that RUNVM started at this step, as in children[].path: 17, or 17.4 for one inside that one. They are in the member child of the step.',
    examples: ['17', '17.4'],
  }),
  (text): readonly number[] => {
    if (!/^[0-9]{1,9}(\.[0-9]{1,9}){0,7}$/.test(text)) throw new ParseError('a step such as 17 or 17.4', text)
    return text.split('.').map(Number)
  },
)
const StackParam = param(
  Type.String({
    description: 'diff: what each step takes and puts; full or top:N: the stack before each step; none.',
    examples: ['diff', 'top:4'],
  }),
  (text): RecordOptions['stack'] => {
    if (text === 'diff' || text === 'full' || text === 'none') return text
    const [, top] = /^top:([1-9][0-9]{0,2})$/.exec(text) ?? []
    if (top === undefined) throw new ParseError('diff, full, none or top:N', text)
    return { top: Number(top) }
  },
)
const flag = (description: string) => param(Type.Boolean({ description }))

export const SourceParam = withDefault(
  flag('Source positions of the steps, if a source map of the code is stored.'),
  false,
)

/** How a run is recorded. */
export const recordParams = {
  from: withDefault(FromParam, 0),
  count: withDefault(CountParam, 1000),
  path: optional(PathParam),
  stack: withDefault(StackParam, 'diff'),
  cells: withDefault(flag('Cells of stack and registers as bags of cells.'), true),
  registers: withDefault(flag('Control registers that each step changed.'), false),
  log: withDefault(flag('The log of the virtual machine; of a long one the end.'), false),
}

type RecordArguments = {
  readonly from: number
  readonly count: number
  readonly path?: readonly number[] | undefined
  readonly stack: RecordOptions['stack']
  readonly cells: boolean
  readonly registers: boolean
  readonly log: boolean
}

export const toRecordOptions = (
  { from, count, path, stack, cells, registers, log }: RecordArguments,
  withSteps: boolean,
): RecordOptions => {
  if (withSteps && stack === 'full' && count > MAX_FULL_STACKS) {
    throw new TooManyStepsError(
      `With whole stacks a page has at most ${MAX_FULL_STACKS} steps, not ${count}: ask for stack=diff, or for fewer steps.`,
    )
  }
  const window = withSteps ? { from, count, ...(path !== undefined && { path }) } : undefined
  return { window, stack, cells, registers, log }
}

/** Each of them may have hundreds of values. */
const MAX_FULL_STACKS = 2000

export const RUN_MS = 30_000

export const transaction = debugEndpoint({
  name: 'transaction',
  methods: ['POST'],
  tags: ['debug'],
  summary: 'Replay a transaction: verdict, phases, gas, actions, failure, and the steps of the virtual machine.',
  description:
    'Everything comes from liteservers with proofs: the block, the account before it, the configuration, libraries and previous blocks. ' +
    'Earlier transactions of the account in the block are run first. The verdict is exact if the transaction made here has the hash of the one on chain. ' +
    'A hash needs the index; account and lt do not.',
  params: {
    hash: optional(HashParam),
    account: optional(AddressParam),
    lt: optional(LtParam),
    steps: withDefault(StepsParam, 'summary'),
    ...recordParams,
    source: SourceParam,
    overrides: worldParams.state_overrides,
    config_overrides: worldParams.config_overrides,
    now: optional(param(Type.Integer({ minimum: 1, maximum: 0xffff_ffff, description: 'Unix time of the run.' }))),
  },
  result: ReplayView,
  errors: [
    'transaction_not_found',
    'state_not_kept',
    'forbidden',
    'replay_failed',
    'unsupported_kind',
    'too_many_steps',
    'vm_busy',
    'vm_timeout',
    'vm_crashed',
    'proof_failed',
    'node_unavailable',
  ],
  timeoutMs: RUN_MS,
  needsNode: true,
  async handle({ debugger: tool, index, sources, budget, call }, given) {
    const { hash, account, lt, steps, source, overrides, config_overrides: config, now, ...record } = given
    if (steps === 'all') expectDebugScope(call)
    const changes = toChanges(overrides, config, now)
    const replay = await tool.replay(toTarget(hash, account, lt), changes, call.signal)
    const indexed = await index?.findRecord(replay.chain.hash())
    const { recording, log } =
      steps === 'none'
        ? { recording: undefined, log: undefined }
        : await tool.record(replay, toRecordOptions(record, steps === 'all'), call.signal)
    const located = source ? await locateSteps(sources, recording) : recording
    return toReplayView({ replay, recording: located, log, indexed }, tool, budget)
  },
})

/** Steps with their source positions, where a map of the code is stored. */
export const locateSteps = async <R extends VmRecording | undefined>(
  sources: DebugContext['sources'],
  recording: R,
): Promise<R> => withSource(recording, recording && (await sources.find(recording.code_hash)))

/** Steps with their source positions. */
export const withSource = <R extends VmRecording | undefined>(recording: R, map: SourceMap | undefined): R => {
  if (recording === undefined || map === undefined) return recording
  const places = new SourcePositions(map)
  const steps = recording.steps.map((step) => {
    const loc = places.ofStep(step)
    return loc === undefined ? step : { ...step, loc }
  })
  return { ...recording, steps }
}

/** Changes of the world; `undefined` where nothing changes. */
const toChanges = (
  overrides: readonly AddressedOverride[],
  config: ReadonlyMap<number, Cell>,
  now: number | undefined,
): ReplayChanges | undefined => {
  if (overrides.length === 0 && config.size === 0 && now === undefined) return undefined
  return {
    account: (before, address) => {
      const own = overrides.find((each) => addressesEqual(each.address, address))
      if (own === undefined && overrides.length > 0) {
        throw conflictingParams(
          'overrides',
          `Only ${formatRawAddress(address)}, the account of the transaction, can be overridden.`,
        )
      }
      return own === undefined ? before : overrideAccount(before, address, own.override)
    },
    config: config.size === 0 ? undefined : (before) => changeConfig(before, config),
    now,
  }
}

const NO_BLOCK = { workchain: 0, shard: 0n, seqno: 0, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }

const overrideAccount = (
  before: ShardAccount,
  address: Address,
  override: AddressedOverride['override'],
): ShardAccount => {
  const account = {
    address,
    current: before,
    initial: before,
    isOverridden: false,
    shardBlock: NO_BLOCK,
    genUtime: 0,
    genLt: 0n,
  }
  applyOverride(account, override)
  return account.current
}

const toTarget = (hash: Uint8Array | undefined, address: Address | undefined, lt: bigint | undefined): DebugTarget => {
  if (address !== undefined && lt !== undefined) return { address, lt, hash }
  if (hash !== undefined && address === undefined && lt === undefined) return { hash }
  throw conflictingParams('hash', 'Give hash, or account and lt together.')
}

export const transactionSteps = debugEndpoint({
  name: 'transactionSteps',
  path: 'transaction/{hash}/steps',
  methods: ['GET'],
  tags: ['debug'],
  summary: 'Steps of a transaction that was replayed in the last ten minutes, in pages.',
  params: { hash: HashParam, ...recordParams, source: SourceParam },
  result: StepsView,
  errors: ['replay_not_kept', 'forbidden', 'too_many_steps', 'vm_busy', 'vm_timeout', 'vm_crashed'],
  timeoutMs: RUN_MS,
  needsNode: true,
  async handle({ debugger: tool, sources, call }, { hash, source, ...record }) {
    expectDebugScope(call)
    const { recording: plain, log } = await tool.record(tool.getKept(hash), toRecordOptions(record, true), call.signal)
    const recording = source ? await locateSteps(sources, plain) : plain
    return {
      ...(recording !== undefined && { vm: toVmView(recording) }),
      cells: recording?.cells ?? {},
      ...(log !== undefined && { log }),
    }
  },
})
