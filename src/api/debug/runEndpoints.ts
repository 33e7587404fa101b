import { type Static, Type } from 'typebox'
import type { RunSummary } from '../../chain/recording.ts'
import { wholeSlice } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import { getMethodId, parseVmInteger, type VmValue } from '../../codec/tlb/VmValue.ts'
import type { DebugTarget } from '../../debug/Debugger.ts'
import { TransactionNotFoundError } from '../../debug/errors.ts'
import { formatFolded, gasByMethod, toCpuProfile } from '../../debug/profile.ts'
import { type Address, parseAddressKey } from '../../primitives/Address.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError, ParseError } from '../../primitives/errors.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import { conflictingParams, ForbiddenError } from '../core/errors.ts'
import { AddressParam, HashParam, list, optional, param, withDefault } from '../core/params.ts'
import { expectDebugScope, limitsOf } from '../emulate/EmulateContext.ts'
import { HashText } from '../v3/views/scalars.ts'
import { type DebugContext, debugEndpoint, type TraceName } from './debugEndpoint.ts'
import { RUN_MS, recordParams, toRecordOptions } from './endpoints.ts'
import { ReplayView, StepsView, toReplayView } from './views.ts'
import { toVmView } from './vmViews.ts'

const MAX_TRACED = 256
const MAX_WITH_STEPS = 16
const MAX_PROFILED = 1000
/** The rest of the time is for the answer. */
const PROFILE_MS = 1.8 * RUN_MS
const TimeParam = param(Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: 'Unix time.' }))
const SUMMARY = { window: undefined, stack: 'none', registers: false, cells: false, log: false } as const

const TracedView = Type.Object(
  {
    hash: HashText,
    replay: Type.Optional(ReplayView),
    error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: 'TracedTransaction', description: 'A replay, or why there is none.' },
)

export const trace = debugEndpoint({
  name: 'trace',
  methods: ['POST'],
  tags: ['debug'],
  summary: 'Replay every transaction of a trace. Needs the index.',
  params: {
    trace_id: optional(HashParam),
    hash: optional(HashParam),
    msg_hash: optional(HashParam),
    steps_of: withDefault(list(HashParam, { maxItems: MAX_WITH_STEPS }), []),
    ...recordParams,
  },
  result: Type.Object(
    { trace_id: HashText, exact: Type.Integer(), transactions: Type.Array(TracedView) },
    { $id: 'TraceReplay' },
  ),
  errors: ['transaction_not_found', 'forbidden', 'vm_busy', 'vm_timeout', 'node_unavailable'],
  timeoutMs: 2 * RUN_MS,
  needsNode: true,
  async handle(context, { trace_id: traceId, hash, msg_hash: messageHash, steps_of: stepsOf, ...record }) {
    if (stepsOf.length > 0) expectDebugScope(context.call)
    const most = Math.min(MAX_TRACED, limitsOf(context.call).transactions)
    const records = (await context.index?.listTrace(toTraceName(traceId, hash, messageHash))) ?? []
    const [first] = records
    if (first === undefined) {
      throw new TransactionNotFoundError('The trace is not in the index, or this service has no index.')
    }
    const transactions: Static<typeof TracedView>[] = []
    for (const each of records.slice(0, most)) {
      const hasSteps = stepsOf.some((wanted) => bytesEqual(wanted, each.hash))
      transactions.push(await replayTraced(context, each, hasSteps ? toRecordOptions(record, true) : SUMMARY))
    }
    const exact = transactions.filter(({ replay }) => replay?.verdict.replay === 'exact').length
    return { trace_id: toBase64(first.traceId), exact, transactions }
  },
})

const toTraceName = (
  traceId: Uint8Array | undefined,
  hash: Uint8Array | undefined,
  messageHash: Uint8Array | undefined,
): TraceName => {
  const names = [
    ...(traceId === undefined ? [] : [{ traceId }]),
    ...(hash === undefined ? [] : [{ hash }]),
    ...(messageHash === undefined ? [] : [{ messageHash }]),
  ]
  const [only] = names
  if (only !== undefined && names.length === 1) return only
  throw conflictingParams('trace_id', 'Give one of trace_id, hash and msg_hash.')
}

const replayTraced = async (
  { debugger: tool, budget, call }: DebugContext,
  record: TransactionRecord,
  options: ReturnType<typeof toRecordOptions>,
): Promise<Static<typeof TracedView>> => {
  const hash = toBase64(record.hash)
  const address = parseAddressKey(record.account)
  if (typeof address === 'string') return { hash, error: { code: 'unsupported_kind', message: 'Not a plain account.' } }
  try {
    const replay = await tool.replay({ address, lt: record.lt, hash: record.hash }, undefined, call.signal)
    const { recording, log } = await tool.record(replay, options, call.signal)
    return { hash, replay: toReplayView({ replay, recording, log, indexed: record }, tool, budget) }
  } catch (error) {
    if (!(error instanceof CodedError) || error.retryable) throw error
    return { hash, error: { code: error.code, message: error.message } }
  }
}

export const profile = debugEndpoint({
  name: 'profile',
  methods: ['POST'],
  tags: ['debug'],
  summary: 'Gas profile over several transactions: by method, as folded stacks, and as a profile for Chrome.',
  description:
    'Give hashes, or account with a time: its newest transactions, which needs the index. Transactions that cannot be replayed are counted in left_out.',
  params: {
    hashes: optional(list(HashParam, { minItems: 1, maxItems: MAX_PROFILED })),
    account: optional(AddressParam),
    start_utime: optional(TimeParam),
    end_utime: optional(TimeParam),
    limit: withDefault(param(Type.Integer({ minimum: 1, maximum: MAX_PROFILED })), 100),
  },
  result: Type.Object(
    {
      transactions: Type.Integer({ description: 'Transactions that ran a contract.' }),
      left_out: Type.Integer({ description: 'Transactions whose replay failed, or for which the time was too short.' }),
      gas: Type.Integer(),
      methods: Type.Array(Type.Object({}, { additionalProperties: true })),
      folded: Type.String({ description: 'Folded stacks: frames from the outermost, then gas.' }),
      cpuprofile: Type.Object({}, { additionalProperties: true, description: 'Profile for Chrome: gas as time.' }),
    },
    { $id: 'GasProfile' },
  ),
  errors: [
    'transaction_not_found',
    'state_not_kept',
    'forbidden',
    'replay_failed',
    'vm_busy',
    'vm_timeout',
    'node_unavailable',
  ],
  timeoutMs: 2 * RUN_MS,
  needsNode: true,
  async handle({ debugger: tool, index, call }, given) {
    const targets = await listProfiled(index, given)
    const { transactions: most } = limitsOf(call)
    if (targets.length > most) throw new ForbiddenError(`This plan profiles at most ${most} transactions.`)
    const runs: RunSummary[] = []
    let [gas, leftOut] = [0, 0]
    for (const target of targets) {
      if (performance.now() - call.receivedAt > PROFILE_MS) {
        leftOut += targets.length - runs.length - leftOut
        break
      }
      try {
        const replay = await tool.replay(target, undefined, call.signal)
        const { recording } = await tool.record(replay, SUMMARY, call.signal)
        if (recording === undefined) continue
        runs.push(recording.summary)
        gas += recording.gas.used
      } catch (error) {
        // Those that were named must be there.
        if (given.hashes !== undefined || !(error instanceof CodedError) || error.retryable) throw error
        leftOut++
      }
    }
    return {
      transactions: runs.length,
      left_out: leftOut,
      gas,
      methods: [...gasByMethod(runs)],
      folded: formatFolded(runs),
      cpuprofile: { ...toCpuProfile(runs) },
    }
  },
})

type ProfileArguments = {
  readonly hashes?: readonly Uint8Array[] | undefined
  readonly account?: Address | undefined
  readonly start_utime?: number | undefined
  readonly end_utime?: number | undefined
  readonly limit: number
}

const listProfiled = async (index: DebugContext['index'], given: ProfileArguments): Promise<DebugTarget[]> => {
  const { hashes, account, start_utime: from, end_utime: to, limit } = given
  if ((hashes === undefined) === (account === undefined)) throw conflictingParams('hashes', 'Give hashes or account.')
  if (hashes !== undefined) return hashes.map((hash) => ({ hash }))
  const found = await index?.listAccount(account!, { from, to }, limit)
  if (found !== undefined) return found.map(({ lt }) => ({ address: account!, lt }))
  throw new TransactionNotFoundError('Transactions of an account are found in the index, and this service has none.')
}

const ArgumentView = Type.Object({
  type: Type.Union([Type.Literal('num'), Type.Literal('cell'), Type.Literal('slice')]),
  value: Type.String({ description: 'Number (decimal, or hexadecimal with 0x), or a bag of cells in base64.' }),
})

const StackParam = param(
  Type.Array(ArgumentView, { maxItems: 255, description: 'Arguments, bottom of the stack first.' }),
  (entries): VmStack => entries.map(readArgument),
)

const readArgument = ({ type, value }: Static<typeof ArgumentView>): VmValue => {
  if (type === 'num') {
    const number = parseVmInteger(value)
    if (number === undefined) throw new ParseError('an integer of 257 bits', value)
    return { kind: 'int', value: number }
  }
  const cell = decodeSingleBoc(fromBase64(value))
  return type === 'cell' ? { kind: 'cell', cell } : { kind: 'slice', slice: wholeSlice(cell) }
}

export const getMethod = debugEndpoint({
  name: 'get_method',
  methods: ['POST'],
  tags: ['debug'],
  summary: 'Run a get-method of a contract in its newest state, with the steps of the virtual machine.',
  params: {
    address: AddressParam,
    method: param(
      Type.String({ maxLength: 128, description: 'Name or number of the method.', examples: ['seqno'] }),
      (text) => (/^-?[0-9]{1,10}$/.test(text) ? Number(text) | 0 : getMethodId(text)),
    ),
    stack: withDefault(StackParam, []),
    from: recordParams.from,
    count: recordParams.count,
    path: recordParams.path,
    stack_form: recordParams.stack,
    cells: recordParams.cells,
    registers: recordParams.registers,
    log: recordParams.log,
  },
  result: StepsView,
  errors: ['account_not_active', 'forbidden', 'vm_busy', 'vm_timeout', 'vm_crashed', 'node_unavailable'],
  timeoutMs: RUN_MS,
  needsNode: true,
  async handle({ debugger: tool, call }, { address, method: methodId, stack, stack_form: form, ...record }) {
    expectDebugScope(call)
    const options = toRecordOptions({ ...record, stack: form }, true)
    const { run, recording } = await tool.recordMethod(address, { methodId, stack }, options, call.signal)
    return {
      vm: toVmView(recording),
      cells: recording.cells,
      ...(record.log && run.log !== undefined && { log: run.log }),
    }
  },
})
