import type { VmRecording } from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { normalizedExternalHash, readMessage } from '../../codec/tlb/Message.ts'
import type { RunMethod } from '../../contracts/getMethods.ts'
import type { EmulatedTransaction, Emulation } from '../../emulate/emulate.ts'
import { EmulateRequestError } from '../../emulate/errors.ts'
import { toTraceRecord, toTransactionRecords } from '../../emulate/records.ts'
import type { Snapshot } from '../../emulate/Simulation.ts'
import { summarize } from '../../emulate/summary.ts'
import { addressesEqual } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { ActionRecord } from '../../store/reader/actions.ts'
import { inLtOrder, type TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import { recordAsJson } from '../core/json/stringifyJson.ts'
import { AnswerBudget } from '../v3/AnswerBudget.ts'
import { isShown, readActionTypes } from '../v3/filterParams.ts'
import { readAddressBook, readMetadata } from '../v3/hydrate/hydrate.ts'
import { findActionsVersion } from '../v3/V3Context.ts'
import { addressesOfActions, toActionView } from '../v3/views/actions.ts'
import { hashText } from '../v3/views/scalars.ts'
import { toTraceTree } from '../v3/views/traces.ts'
import { toTransactionView } from '../v3/views/transactions.ts'
import { addDetectedTokens } from './detectedTokens.ts'
import { type EmulateParts, expectDebugScope, type OpenedWorld } from './EmulateContext.ts'
import type { RecordedChoice } from './params.ts'
import { type EmulationView, toCellViews, toSummaryView } from './views.ts'

/** What to show of a trace. */
export type ShownArguments = {
  readonly with_actions: boolean
  readonly include_code_data: boolean
  readonly include_address_book: boolean
  readonly include_metadata: boolean
  readonly summary: boolean
  readonly vm: RecordedChoice
  readonly supported_action_types?: readonly string[] | undefined
}

export type Ran = { readonly message: Cell | undefined; readonly emulation: Emulation; readonly before: Snapshot }

/** The answer about one trace. */
export const toEmulationView = async (
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
  const texts = await budget.writeTexts(records, (record) =>
    toTransactionView({ ...record, traceId: undefined }, budget, {
      isEmulated: true,
      finality: 'pending',
      isOverridden: isOverridden.has(record) || undefined,
    }),
  )
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
  const types = readActionTypes(args, { actionsVersion: findActionsVersion(call.headers) })
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

export const expectAllowed = ({ index, call }: EmulateParts, args: ShownArguments): void => {
  if (args.vm === 'all') expectDebugScope(call)
  if (index === undefined && (args.include_address_book || args.include_metadata))
    throw new EmulateRequestError('address book and metadata are not available')
}
