import { type Static, Type } from 'typebox'
import type { TransactionCall, TransactionRun } from '../../chain/ports.ts'
import type { RecordOptions, VmRecording } from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { globalVersionOf } from '../../debug/replay/ReplayInputs.ts'
import { EmulateRequestError } from '../../emulate/errors.ts'
import { nameOf } from '../../emulate/summary.ts'
import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { sha256 } from '../../primitives/hash.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { conflictingParams, ForbiddenError } from '../core/errors.ts'
import { AddressParam, list, optional, param, withDefault } from '../core/params.ts'
import { expectAllowed } from '../emulate/answers.ts'
import { expectDebugScope, limitsOf, withWorld } from '../emulate/EmulateContext.ts'
import { BocParam, IgnoreSignatures, readIgnored, shownParams, worldParams } from '../emulate/params.ts'
import { runSteps, type SimulatedSteps } from '../emulate/runSteps.ts'
import { StepsParam as SimulatedStepsParam, type SimulationStep } from '../emulate/steps.ts'
import { SimulationView } from '../emulate/views.ts'
import { actionHeaders } from '../v3/V3Context.ts'
import { AddressText, HashText } from '../v3/views/scalars.ts'
import { type DebugContext, debugEndpoint } from './debugEndpoint.ts'
import { locateSteps, RUN_MS, recordParams, SourceParam, StepsParam, toRecordOptions } from './endpoints.ts'
import { inputMembers, runMembers, toRunMembers, VerdictView } from './views.ts'

const InputsView = Type.Object(inputMembers, {
  $id: 'RunInputs',
  description: 'Everything that the run used, on the state after the masterchain block.',
})

const RunView = Type.Object(
  {
    step: Type.Integer({ description: 'Position of the step of the request; 0 for boc.' }),
    account: AddressText,
    hash: Type.Optional(HashText),
    verdict: VerdictView,
    inputs: InputsView,
    ...runMembers,
  },
  {
    $id: 'MessageRun',
    description:
      'A transaction that was made, or the run of a contract that did not accept the message (without hash).',
  },
)

/** Runs that are recorded, and those of them with steps. */
const MAX_RECORDED = 64
const MAX_WITH_STEPS = 16

const { vm: _vm, ...emulateShown } = shownParams

export const message = debugEndpoint({
  name: 'message',
  methods: ['POST'],
  tags: ['debug'],
  summary: 'Run a message that was not sent, or several steps on a changed world, and debug every transaction of it.',
  description:
    'Takes the members of emulateTrace (boc) or of simulate (steps as a list), and those of the debugger. ' +
    'A message that the contract does not accept is no error here: its run shows why. Nothing is sent.',
  params: {
    boc: optional(BocParam),
    steps: withDefault(
      param(
        Type.Union([StepsParam.schema, SimulatedStepsParam.schema], {
          description:
            'With boc: none, summary or all, as for a transaction. Without: the steps to run; record says what is recorded.',
        }),
        (given) => (typeof given === 'string' ? given : SimulatedStepsParam.parse(given)),
      ),
      'summary',
    ),
    record: optional(StepsParam),
    steps_of: optional(list(AddressParam, { maxItems: 64 })),
    ...recordParams,
    source: SourceParam,
    ignore_chksig: withDefault(param(IgnoreSignatures, readIgnored), false),
    stop_on_error: withDefault(param(Type.Boolean({ description: 'Skip the steps after one that failed.' })), true),
    ...emulateShown,
    ...worldParams,
  },
  headers: actionHeaders,
  result: Type.Object(
    {
      mc_block_seqno: Type.Integer(),
      rand_seed: Type.String({ description: 'Seed of the blocks, base64.' }),
      steps: SimulationView.properties.steps,
      runs: Type.Array(RunView, { description: 'In the order in which they ran.' }),
    },
    { $id: 'MessageDebug' },
  ),
  errors: [
    'state_not_kept',
    'block_not_found',
    'forbidden',
    'too_many_steps',
    'vm_busy',
    'vm_timeout',
    'proof_failed',
    'node_unavailable',
  ],
  timeoutMs: RUN_MS + 1000,
  needsNode: true,
  handle(context, given) {
    const { boc, steps, record, steps_of: accounts, ignore_chksig: ignored, stop_on_error: stops, ...rest } = given
    const { from, count, path, stack, cells, registers, log, source, ...world } = rest
    const { emulation: parts } = context
    const args = { ...world, vm: 'none' } as const
    expectAllowed(parts, args)
    const order = readOrder(boc, steps, record)
    const plan = limitsOf(parts.call)
    if (order.steps.length > plan.steps) throw new ForbiddenError(`This plan runs at most ${plan.steps} steps.`)
    if (args.on_pending && boc === undefined) throw new EmulateRequestError('on_pending is for boc')
    if (order.record === 'all') expectDebugScope(context.call)
    const options = toRecordOptions({ from, count, path, stack, cells, registers, log }, order.record === 'all')
    const pending = args.on_pending ? parts.pending : undefined
    return withWorld(parts, { ...args, defaultMs: RUN_MS }, async (opened) => {
      const { simulation, randomSeed } = opened
      const simulated = await runSteps(parts, opened, { steps: order.steps, ignored, stops, pending }, args)
      const runs: Static<typeof RunView>[] = []
      for (const each of listRuns(simulated)) {
        const isNamed = accounts === undefined || accounts.some((address) => addressesEqual(address, each.address))
        const hasSteps = isNamed && runs.filter(({ vm }) => (vm?.steps.length ?? 0) > 0).length < MAX_WITH_STEPS
        const own = { ...options, window: hasSteps ? options.window : undefined, source }
        const isRecorded = order.record !== 'none' && runs.length < MAX_RECORDED
        runs.push(await describeRun(context, each, simulation.block.seqno, isRecorded ? own : undefined))
      }
      return {
        mc_block_seqno: simulation.block.seqno,
        rand_seed: toBase64(randomSeed),
        steps: [...simulated.results],
        runs,
      }
    })
  },
})

type RecordChoice = Static<typeof StepsParam.schema>

const readOrder = (
  boc: Cell | undefined,
  steps: RecordChoice | readonly SimulationStep[],
  record: RecordChoice | undefined,
): { readonly steps: readonly SimulationStep[]; readonly record: RecordChoice } => {
  if (typeof steps !== 'string') {
    if (boc !== undefined) throw conflictingParams('boc', 'Give boc, or a list of steps, not both.')
    return { steps, record: record ?? 'summary' }
  }
  if (boc === undefined) throw conflictingParams('boc', 'Give boc, or a list of steps.')
  return { steps: [{ kind: 'message', cell: boc }], record: record ?? steps }
}

type Ran = {
  readonly step: number
  readonly address: Address
  readonly hash?: Uint8Array
  readonly call: TransactionCall
}

/** The transactions of all steps, and runs that refused a message in their places. */
const listRuns = ({ transactions, refused, ends }: SimulatedSteps): Ran[] => {
  let [made, denied] = [0, 0]
  return ends.flatMap((end, step) => {
    const own = transactions.slice(made, end.transactions)
    const none = refused.slice(denied, end.refused)
    ;[made, denied] = [end.transactions, end.refused]
    return [
      ...own.map(({ address, call, cell }) => ({ step, address, call, hash: cell.hash() })),
      ...none.map(({ address, call }) => ({ step, address, call })),
    ]
  })
}

/** Runs it once more, recorded where options are given. */
const describeRun = async (
  { debugger: tool, emulation: { vm }, sources, budget, call: request }: DebugContext,
  { step, address, hash, call: made }: Ran,
  seqno: number,
  options: (RecordOptions & { readonly source: boolean }) | undefined,
): Promise<Static<typeof RunView>> => {
  const libraries = new Set<string>()
  const findLibrary = async (wanted: Uint8Array): Promise<Cell | undefined> => {
    const found = await made.context.findLibrary?.(wanted)
    if (found !== undefined) libraries.add(toHex(wanted))
    return found
  }
  const call: TransactionCall = { ...made, withActions: true, context: { ...made.context, findLibrary } }
  const { run, recording }: { run: TransactionRun; recording: VmRecording | undefined } =
    options === undefined
      ? { run: await vm.runTransaction(call, request.signal), recording: undefined }
      : await vm.recordTransaction(call, options, request.signal)
  const located = options?.source ? await locateSteps(sources, recording) : recording
  const { config, randomSeed, now } = call.context
  const version = globalVersionOf(config)
  const { supportedVersion } = tool
  return {
    step,
    account: nameOf(address),
    ...(hash !== undefined && { hash: toBase64(hash) }),
    verdict: {
      replay: 'changed',
      differences: [],
      missing: [],
      machine: { name: 'chaincenter', global_version: supportedVersion },
      ...(version > supportedVersion && {
        warning: `The chain has global version ${version}; this machine knows the rules up to ${supportedVersion}.`,
      }),
    },
    inputs: {
      mc_block_seqno: seqno,
      config_hash: toBase64(config.hash()),
      global_version: version,
      block_rand_seed: toBase64(randomSeed),
      rand_seed: toBase64(sha256(Buffer.concat([randomSeed, address.hash]))),
      now,
      lt: String(call.lt),
      libraries: [...libraries].map((each) => toBase64(fromHex(each))),
      shard_account_before: toBase64(encodeBoc([writeWhole(writeShardAccount, call.account)])),
    },
    ...toRunMembers({ call, run }, { recording: located, log: options?.log === true ? run.log : undefined }, budget),
  }
}
