import { Type } from 'typebox'
import type { VmRecording } from '../../chain/recording.ts'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { readWhole, writeWhole } from '../../codec/cell/wholeCell.ts'
import { normalizedExternalHash, readMessage, writeMessage } from '../../codec/tlb/Message.ts'
import { findStandardAddress } from '../../codec/tlb/MsgAddress.ts'
import type { RunMethod } from '../../contracts/getMethods.ts'
import type { EmulatedTransaction, Emulation, UndeliveredMessage } from '../../emulate/emulate.ts'
import { EmulateRequestError, EmulationTimeoutError, NotAcceptedError } from '../../emulate/errors.ts'
import { startsOf, toTraceRecord, toTransactionRecords } from '../../emulate/records.ts'
import type { Snapshot } from '../../emulate/Simulation.ts'
import { finalStates, summarize } from '../../emulate/summary.ts'
import { toAddrStd, toExtraCurrencies, toMessageInit, writeTonConnectMessage } from '../../emulate/walletMessages.ts'
import { addressesEqual, addressKeyOf } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { ActionRecord } from '../../store/reader/actions.ts'
import type { PendingTraces } from '../../store/reader/pending.ts'
import { inLtOrder, type TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import { ForbiddenError } from '../core/errors.ts'
import { recordAsJson } from '../core/json/stringifyJson.ts'
import { optional, param, withDefault } from '../core/params.ts'
import { AnswerBudget } from '../v3/AnswerBudget.ts'
import { isShown, readActionTypes } from '../v3/filterParams.ts'
import { readAddressBook, readMetadata } from '../v3/hydrate/hydrate.ts'
import { actionHeaders, readOptions } from '../v3/V3Context.ts'
import { addressesOfActions, toActionView } from '../v3/views/actions.ts'
import { hashText } from '../v3/views/scalars.ts'
import { toTraceTree } from '../v3/views/traces.ts'
import { toTransactionView } from '../v3/views/transactions.ts'
import { addDetectedTokens } from './detectedTokens.ts'
import { type EmulateParts, emulateEndpoint, limitsOf, type OpenedWorld, withWorld } from './EmulateContext.ts'
import {
  BocParam,
  type IgnoredSignatures,
  IgnoreSignatures,
  type RecordedChoice,
  readIgnored,
  shownParams,
  UnreadableBocError,
  worldParams,
} from './params.ts'
import {
  type InternalOrder,
  type ReadTonConnect,
  readTonConnect,
  type SimulationStep,
  StepsParam,
  TonConnect,
} from './steps.ts'
import { EmulationView, SimulationView, toCellViews, toFinalStateView, toStackEntry, toSummaryView } from './views.ts'

/** What to show of a trace. */
type ShownArguments = {
  readonly with_actions: boolean
  readonly include_code_data: boolean
  readonly include_address_book: boolean
  readonly include_metadata: boolean
  readonly summary: boolean
  readonly vm: RecordedChoice
  readonly supported_action_types?: readonly string[] | undefined
}

type Ran = { readonly message: Cell | undefined; readonly emulation: Emulation; readonly before: Snapshot }

/** Refuses what no account could receive. */
const expectMessage = (cell: Cell): Cell => {
  try {
    const { info } = readWhole(cell, readMessage, 'A message')
    const to = info.kind === 'externalOut' ? undefined : findStandardAddress(info.destination)
    if (to !== undefined) return cell
    throw new UnreadableBocError(`in msg found with no destination: ${info.kind}`)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new UnreadableBocError(`in msg found with no destination: ${error.message}`)
  }
}

const runMessage = async (
  { simulation, limits }: OpenedWorld,
  message: Cell,
  ignoreSignatures: IgnoredSignatures,
  pending?: PendingTraces,
): Promise<Ran> => {
  const to = destinationOf(message)
  if ((await simulation.findAccount(to)) === undefined) throw new UnreadableBocError('no shard found for message')
  for (const { transactions } of (await pending?.find({ accounts: [addressKeyOf(to)] })) ?? []) {
    // One that is refused by now is not pending any more.
    for (const start of startsOf(transactions))
      await simulation.run(start, { ignoreSignatures: 'none', limits: limits() })
  }
  const before = await simulation.snapshot()
  const own = limits()
  const emulation = await simulation.run(message, { ignoreSignatures, limits: own })
  if (emulation.isRefused) throw new NotAcceptedError(emulation.exitCode)
  if (emulation.transactions.length === 0) throw new EmulationTimeoutError(Math.round(own.timeMs))
  return { message, emulation, before }
}

const pendingOf = ({ pending }: EmulateParts, args: { readonly on_pending: boolean }): PendingTraces | undefined =>
  args.on_pending ? pending : undefined

const destinationOf = (message: Cell) => {
  const { info } = readMessage(openCell(message))
  const to = info.kind === 'externalOut' ? undefined : findStandardAddress(info.destination)
  if (to === undefined) throw new UnreadableBocError('in msg found with no destination')
  return to
}

const VALID_SECONDS = 300

/** The message that the wallet would get in this world. */
const composeMessage = async ({ simulation }: OpenedWorld, request: ReadTonConnect): Promise<Cell> => {
  const wallet = await simulation.findAccount(request.from)
  if (wallet === undefined) throw new UnreadableBocError('no shard found for message')
  const now = simulation.nowOf(wallet)
  const { validUntil = now + VALID_SECONDS } = request
  return writeTonConnectMessage({ ...request, validUntil }, wallet.current)
}

const composeInternal = ({ from, to, amount, bounce, payload, init, extraCurrencies }: InternalOrder): Cell =>
  writeWhole(writeMessage, {
    info: {
      kind: 'internal',
      ihrDisabled: true,
      bounce,
      bounced: false,
      source: toAddrStd(from),
      destination: toAddrStd(to),
      value: { grams: amount, extra: toExtraCurrencies(extraCurrencies) },
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    init: init && toMessageInit(init),
    body: payload ?? wholeSlice(emptyCell),
  })

/** The answer about one trace. */
const toEmulationView = async (
  parts: EmulateParts,
  { simulation, randomSeed }: OpenedWorld,
  { message, emulation, before }: Ran,
  args: ShownArguments,
): Promise<EmulationView> => {
  const { transactions, isIncomplete, reason, undelivered = [] } = emulation
  const budget = new AnswerBudget(parts.decoder, parts.call)
  const traceId = transactions[0]!.cell.hash()
  const { hasExtraFlags, blockOf } = simulation
  const externalHash = message?.hash() ?? traceId
  const unordered = toTransactionRecords(transactions, { traceId, externalHash, hasExtraFlags, blockOf })
  const isOverridden = new Set(unordered.filter((_record, k) => transactions[k]!.isOverridden))
  const records = unordered.toSorted(inLtOrder('asc'))
  const actions = args.with_actions ? await listActions(parts, records, simulation.methodsAt(), args) : []
  const texts = await budget.writeTexts(records, (record) => {
    const { trace_id: _id, ...view } = toTransactionView(record, budget)
    const state = view.account_state_before
    return {
      ...view,
      ...(isOverridden.has(record) && { account_state_before: { ...state, overridden: true } }),
      emulated: true,
      finality: 'pending',
    }
  })
  const normalHash = message && findNormalHash(message)
  const around = {
    finality: 'pending',
    externalHash,
    externalHashNorm: normalHash === undefined || bytesEqual(normalHash, externalHash) ? undefined : normalHash,
    withAccounts: true,
    transactionsFull: undefined,
  } as const
  return {
    mc_block_seqno: simulation.block.seqno,
    trace: toTraceTree(records).root!,
    transactions: recordAsJson(records.map(({ hash }, k) => [hashText(hash), texts[k]!])),
    actions: actions.map((action) => toActionView({ ...action, traceId: undefined }, around)),
    ...(args.include_code_data && toCellViews(transactions)),
    ...(await hydrate(parts, records, actions, simulation.methodsAt(), args)),
    rand_seed: toBase64(randomSeed),
    is_incomplete: isIncomplete,
    ...(reason !== undefined && { incomplete_reason: reason }),
    ...(args.summary && {
      summary: toSummaryView(await summarize({ simulation, before, transactions, undelivered })),
    }),
    ...(args.vm !== 'none' && { vm: await recordRuns(parts, transactions, args.vm) }),
  }
}

/** Recorded runs and steps of one answer. */
const MAX_RECORDED = 16
const MAX_STEPS = 2000

/** Runs the chosen transactions again, step by step. */
const recordRuns = async (
  { vm, call }: EmulateParts,
  transactions: readonly EmulatedTransaction[],
  choice: RecordedChoice,
): Promise<Record<string, VmRecording>> => {
  const options = {
    window: { from: 0, count: MAX_STEPS },
    stack: 'diff',
    registers: false,
    cells: true,
    log: false,
  } as const
  const chosen = transactions.filter((each) => isChosen(each, choice)).slice(0, MAX_RECORDED)
  const runs: Record<string, VmRecording> = {}
  for (const { call: own, cell } of chosen) {
    const { recording } = await vm.recordTransaction(own, options, call.signal)
    if (recording !== undefined) runs[hashText(cell.hash())] = recording
  }
  return runs
}

const isChosen = ({ address, transaction: { description } }: EmulatedTransaction, choice: RecordedChoice): boolean => {
  if (typeof choice === 'object') return choice.some((each) => addressesEqual(each, address))
  return choice === 'all' || ('aborted' in description && description.aborted)
}

const findNormalHash = (cell: Cell): Uint8Array | undefined => {
  const message = readMessage(openCell(cell))
  return message.info.kind === 'externalIn' ? normalizedExternalHash(message) : undefined
}

const listActions = async (
  { classify, call }: EmulateParts,
  records: readonly TransactionRecord[],
  run: RunMethod,
  args: ShownArguments,
): Promise<ActionRecord[]> => {
  const types = readActionTypes(args, readOptions(call))
  const found = await classify(toTraceRecord(records[0]!.traceId, records), records, run)
  return found
    .filter((action) => isShown(types, action))
    .sort((a, b) => compare(b.endLt, a.endLt) || compare(b.startLt, a.startLt))
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

const hydrate = async (
  { index, settings }: EmulateParts,
  records: readonly TransactionRecord[],
  actions: readonly ActionRecord[],
  run: RunMethod,
  { include_address_book: withBook, include_metadata: withMetadata }: ShownArguments,
) => {
  if (index === undefined || (!withBook && !withMetadata)) return {}
  const accounts = records.map(({ account }) => account)
  const addresses = [...accounts, ...addressesOfActions(actions)]
  return {
    ...(withBook && { address_book: await readAddressBook({ ...index, settings }, addresses) }),
    ...(withMetadata && {
      metadata: await addDetectedTokens(await readMetadata(index, addresses), accounts, run),
    }),
  }
}

const expectAllowed = ({ index, call }: EmulateParts, args: ShownArguments): void => {
  if (args.vm === 'all' && !limitsOf(call).allSteps) throw new ForbiddenError('vm: all needs an API key.')
  if (index === undefined && (args.include_address_book || args.include_metadata))
    throw new EmulateRequestError('address book and metadata are not available')
}

const errors = ['not_accepted', 'state_not_kept', 'block_not_found', 'forbidden', 'vm_busy', 'vm_timeout'] as const

const MAX_MS = 31_000

export const emulateTrace = emulateEndpoint({
  name: 'emulateTrace',
  methods: ['POST'],
  tags: ['emulate'],
  summary: 'Emulate a message and everything that follows from it. Nothing is sent.',
  params: {
    boc: BocParam,
    ignore_chksig: withDefault(param(IgnoreSignatures, readIgnored), false),
    ...shownParams,
    ...worldParams,
  },
  headers: actionHeaders,
  result: EmulationView,
  errors: [...errors],
  timeoutMs: MAX_MS,
  async handle(parts, { boc, ignore_chksig: ignored, ...args }) {
    expectAllowed(parts, args)
    expectMessage(boc)
    return withWorld(parts, args, async (world) =>
      toEmulationView(parts, world, await runMessage(world, boc, ignored, pendingOf(parts, args)), args),
    )
  },
})

export const emulateTonConnect = emulateEndpoint({
  name: 'emulateTonConnect',
  methods: ['POST'],
  tags: ['emulate'],
  summary: 'Emulate a TON Connect request: writes the message of the wallet and runs it without a signature.',
  params: {
    from: optional(param(Type.String({ description: 'The wallet.' }))),
    messages: optional(param(Type.Required(Type.Object({ messages: TonConnect.messages })).properties.messages)),
    valid_until: optional(param(Type.Unknown({ description: 'Unix time; by default in 5 minutes.' }))),
    from_state_init: optional(
      param(Type.String({ description: 'StateInit of a wallet that is not deployed yet, a bag of cells.' })),
    ),
    ...shownParams,
    ...worldParams,
  },
  headers: actionHeaders,
  result: EmulationView,
  errors: [...errors, 'unsupported_wallet'],
  timeoutMs: MAX_MS,
  async handle(parts, { from, messages, valid_until, from_state_init, ...args }) {
    expectAllowed(parts, args)
    const request = readTonConnect({ from, messages, valid_until, from_state_init })
    return withWorld(parts, args, async (world) => {
      const message = await composeMessage(world, request)
      return toEmulationView(parts, world, await runMessage(world, message, 'all', pendingOf(parts, args)), args)
    })
  },
})

type StepResult = {
  ok: boolean
  result?: unknown
  error?: string
  code?: string
  exit_code?: number
}

type Totals = { readonly transactions: EmulatedTransaction[]; readonly undelivered: UndeliveredMessage[] }

export const simulate = emulateEndpoint({
  name: 'simulate',
  methods: ['POST'],
  tags: ['emulate'],
  summary: 'Run several steps on one changed world: messages, get-methods, overrides, time.',
  params: {
    steps: StepsParam,
    ignore_chksig: withDefault(param(IgnoreSignatures, readIgnored), false),
    stop_on_error: withDefault(param(Type.Boolean({ description: 'Skip the steps after one that failed.' })), true),
    include_accounts: withDefault(param(Type.Boolean({ description: 'Include the final states.' })), false),
    ...shownParams,
    ...worldParams,
  },
  headers: actionHeaders,
  result: SimulationView,
  errors: [...errors],
  timeoutMs: MAX_MS,
  async handle(parts, { steps, ignore_chksig: ignored, stop_on_error: stops, include_accounts, ...args }) {
    expectAllowed(parts, args)
    const { steps: most } = limitsOf(parts.call)
    if (steps.length > most) throw new ForbiddenError(`This plan runs at most ${most} steps.`)
    return withWorld(parts, args, async (world) => {
      const { simulation, randomSeed } = world
      if (args.on_pending) throw new EmulateRequestError('on_pending is for emulateTrace and emulateTonConnect')
      const before = await simulation.snapshot()
      const totals: Totals = { transactions: [], undelivered: [] }
      const results: StepResult[] = []
      for (const step of steps) {
        const hasFailed = stops && results.some(({ ok }) => !ok)
        results.push(
          hasFailed ? { ok: false, code: 'skipped' } : await runStep(parts, world, step, ignored, args, totals),
        )
      }
      const states = include_accounts ? await finalStates(simulation) : undefined
      return {
        mc_block_seqno: simulation.block.seqno,
        rand_seed: toBase64(randomSeed),
        steps: results,
        ...(args.summary && { summary: toSummaryView(await summarize({ simulation, before, ...totals })) }),
        ...(states !== undefined && {
          accounts: Object.fromEntries([...states].map(([name, state]) => [name, toFinalStateView(state)])),
        }),
      }
    })
  },
})

/** Failures of a step are its result, unless nodes or time are to blame. */
const runStep = async (
  parts: EmulateParts,
  world: OpenedWorld,
  step: SimulationStep,
  ignored: IgnoredSignatures,
  args: ShownArguments,
  totals: Totals,
): Promise<StepResult> => {
  try {
    const result = await answerStep(parts, world, step, ignored, args, totals)
    return { ok: true, ...(result !== undefined && { result }) }
  } catch (error) {
    if (!(error instanceof CodedError) || /^(node_|proof_|deadline)/.test(error.code)) throw error
    return {
      ok: false,
      error: error.message,
      code: error.code,
      ...(error instanceof NotAcceptedError && error.exitCode !== undefined && { exit_code: error.exitCode }),
    }
  }
}

const answerStep = async (
  parts: EmulateParts,
  world: OpenedWorld,
  step: SimulationStep,
  ignored: IgnoredSignatures,
  args: ShownArguments,
  totals: Totals,
): Promise<unknown> => {
  const { simulation } = world
  const show = async (ran: Ran): Promise<EmulationView> => {
    totals.transactions.push(...ran.emulation.transactions)
    totals.undelivered.push(...(ran.emulation.undelivered ?? []))
    return toEmulationView(parts, world, ran, args)
  }
  switch (step.kind) {
    case 'message':
      return show(await runMessage(world, expectMessage(step.cell), ignored))
    case 'internal':
      return show(await runMessage(world, composeInternal(step.message), ignored))
    case 'external':
      return show(
        await runMessage(world, expectMessage(step.cell), ignored === 'none' ? step.ignoreSignatures : ignored),
      )
    case 'tonConnect':
      return show(await runMessage(world, await composeMessage(world, step.request), 'all'))
    case 'method': {
      const { exitCode, gasUsed, stack } = await simulation.runMethod(step.address, step.method, step.stack)
      return { gas_used: gasUsed, exit_code: exitCode, stack: stack.map(toStackEntry) }
    }
    case 'advance':
      simulation.advance(step.seconds, step.blocks)
      return undefined
    case 'override':
      await simulation.override(step.overrides)
      return undefined
    case 'tickTock': {
      const before = await simulation.snapshot()
      const run = { ignoreSignatures: 'none', limits: world.limits() } as const
      const emulation = await simulation.runTickTock(step.address, step.isTock ? 'tock' : 'tick', run)
      return show({ message: undefined, emulation, before })
    }
  }
}
