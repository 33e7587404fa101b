import { Type } from 'typebox'
import type { RecordOptions } from '../../chain/recording.ts'
import { MAX_RECORDED_STEPS } from '../../chain/recording.ts'
import type { DebugTarget } from '../../debug/Debugger.ts'
import type { Address } from '../../primitives/Address.ts'
import { ParseError } from '../../primitives/errors.ts'
import { conflictingParams } from '../core/errors.ts'
import { AddressParam, HashParam, optional, param, withDefault } from '../core/params.ts'
import { debugEndpoint } from './debugEndpoint.ts'
import { ReplayView, StepsView, toReplayView } from './views.ts'
import { toVmView } from './vmViews.ts'

const LtParam = param(
  Type.String({ pattern: '^[0-9]{1,20}$', description: 'Logical time.', examples: ['1000001'] }),
  BigInt,
)

const StepsParam = param(
  Type.Union([Type.Literal('none'), Type.Literal('summary'), Type.Literal('all')], {
    description: 'none: no recording; summary: gas, coverage and failure; all: also the steps.',
  }),
)
const FromParam = param(Type.Integer({ minimum: 0, maximum: 0x7fff_ffff, description: 'First step.' }))
const CountParam = param(Type.Integer({ minimum: 1, maximum: MAX_RECORDED_STEPS, description: 'Steps in a page.' }))
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

/** How a run is recorded. */
const recordParams = {
  from: withDefault(FromParam, 0),
  count: withDefault(CountParam, 1000),
  stack: withDefault(StackParam, 'diff'),
  cells: withDefault(flag('Cells of stack and registers as bags of cells.'), true),
  registers: withDefault(flag('Control registers that each step changed.'), false),
  log: withDefault(flag('The log of the virtual machine.'), false),
}

type RecordArguments = {
  readonly from: number
  readonly count: number
  readonly stack: RecordOptions['stack']
  readonly cells: boolean
  readonly registers: boolean
  readonly log: boolean
}

const toRecordOptions = (
  { from, count, stack, cells, registers, log }: RecordArguments,
  withSteps: boolean,
): RecordOptions => ({ window: withSteps ? { from, count } : undefined, stack, cells, registers, log })

const RUN_MS = 30_000

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
  },
  result: ReplayView,
  errors: [
    'transaction_not_found',
    'state_not_kept',
    'replay_failed',
    'unsupported_kind',
    'vm_busy',
    'vm_timeout',
    'vm_crashed',
    'proof_failed',
    'node_unavailable',
  ],
  timeoutMs: RUN_MS,
  needsNode: true,
  async handle({ debugger: tool, findRecord, budget, call }, { hash, account, lt, steps, ...record }) {
    const replay = await tool.replay(toTarget(hash, account, lt), undefined, call.signal)
    const indexed = await findRecord?.(replay.chain.hash())
    const { recording, log } =
      steps === 'none'
        ? { recording: undefined, log: undefined }
        : await tool.record(replay, toRecordOptions(record, steps === 'all'), call.signal)
    return toReplayView({ replay, recording, log, indexed }, tool, budget)
  },
})

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
  params: { hash: HashParam, ...recordParams },
  result: StepsView,
  errors: ['replay_not_kept', 'vm_busy', 'vm_timeout', 'vm_crashed'],
  timeoutMs: RUN_MS,
  needsNode: true,
  async handle({ debugger: tool, call }, { hash, ...record }) {
    const { recording, log } = await tool.record(tool.getKept(hash), toRecordOptions(record, true), call.signal)
    return {
      ...(recording !== undefined && { vm: toVmView(recording) }),
      cells: recording?.cells ?? {},
      ...(log !== undefined && { log }),
    }
  },
})
