import { bytesEqual } from '../../../primitives/bytes.ts'
import { findMessageEnds } from '../../../store/reader/messageEnds.ts'
import {
  findFinished,
  findReceivedMessages,
  type PendingAction,
  type PendingFilter,
  type PendingTrace,
  type PendingTransaction,
} from '../../../store/reader/pending.ts'
import { inLtOrder, keyText } from '../../../store/reader/TransactionRecord.ts'
import { optional, withDefault } from '../../core/params.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { NotIndexedError, RefusedRequestError } from '../errors.ts'
import { isShown, readActionTypes, SupportedTypesParam } from '../filterParams.ts'
import { hydrate, readAddressBook } from '../hydrate/hydrate.ts'
import { addressListParam, addressParam, boolParam, hashListParam } from '../params.ts'
import type { V3Context } from '../V3Context.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { ActionsView, type ActionView, addressesOfActions, toActionView } from '../views/actions.ts'
import { hashText } from '../views/scalars.ts'
import { TracesView, type TraceView, toTraceParts } from '../views/traces.ts'
import {
  addressesOfTransactions,
  TransactionsView,
  type TransactionView,
  toPendingTransactionView,
} from '../views/transactions.ts'

/**
 * Traces, or actions of traces, that the index does not have yet, largest logical time first. The index is queried after the pending store, so
 * a trace that finishes meanwhile is never missing from both.
 */
const readPending = async (
  context: V3Context,
  filter: PendingFilter,
  shown: 'traces' | 'actions',
): Promise<PendingTrace[]> => {
  const found = await context.pending.find(filter)
  const finished = await findFinishedOf(context, found, shown)
  return found
    .filter((trace) => !finished.has(trace))
    .map((trace) => ({ trace, lt: lastLt(trace) }))
    .sort((a, b) => (a.lt === b.lt ? 0 : a.lt > b.lt ? -1 : 1))
    .map(({ trace }) => trace)
}

const lastLt = ({ transactions }: PendingTrace): bigint =>
  transactions.reduce((most, { lt }) => (lt > most ? lt : most), 0n)

const findFinishedOf = async (
  { listReads }: V3Context,
  traces: readonly PendingTrace[],
  shown: 'traces' | 'actions',
): Promise<ReadonlySet<PendingTrace>> => {
  if (traces.length === 0) return new Set()
  // A trace that is only emulated here may have started in the index.
  const withoutId = traces.filter(({ traceId }) => traceId === undefined)
  const hashes = withoutId.flatMap(({ externalHash, externalHashNorm }) => [externalHash, externalHashNorm])
  const ends = hashes.length === 0 ? [] : await findMessageEnds(listReads, hashes)
  const ids = traces.flatMap(({ traceId }) => (traceId === undefined ? [] : [traceId]))
  const known = await findFinished(listReads, [...ids, ...ends.map(({ traceId }) => traceId)])
  // The index lists finished traces; actions need the trace ids.
  const listed = shown === 'traces' ? known : known.filter(({ isClassified }) => isClassified)
  const finished = new Set(listed.map(({ traceId }) => keyText(traceId)))
  const began = new Map(ends.map(({ messageHash, traceId }) => [keyText(messageHash), traceId]))
  return new Set(
    traces.filter(({ traceId, externalHash, externalHashNorm }) => {
      const id = traceId ?? began.get(keyText(externalHash)) ?? began.get(keyText(externalHashNorm))
      return id !== undefined && finished.has(keyText(id))
    }),
  )
}

/** Filters of pending traces and actions. */
const pendingParams = {
  account: optional(addressParam('Account address; takes precedence over ext_msg_hash.')),
  ext_msg_hash: optional(hashListParam('Hashes of external-in messages, plain or normalized.')),
  supported_action_types: SupportedTypesParam,
} as const

type Asked = {
  readonly account: Uint8Array | undefined
  readonly ext_msg_hash: readonly Uint8Array[] | undefined
}

const readPendingFilter = ({ account, ext_msg_hash: hashes }: Asked): PendingFilter => {
  if (account !== undefined) return { accounts: [account] }
  if (hashes === undefined) throw new RefusedRequestError('account or ext_msg_hash should be specified')
  return { hashes }
}

/** By logical time, then account. */
const inTraceOrder = (transactions: readonly PendingTransaction[]): PendingTransaction[] =>
  transactions.toSorted(inLtOrder('asc'))

export const toPendingActionView = (
  action: PendingAction,
  { externalHash, externalHashNorm }: PendingTrace,
  transactionsFull: TransactionView[] | undefined,
): ActionView =>
  toActionView(action, {
    finality: action.finality,
    externalHash,
    externalHashNorm: keyText(externalHash) === keyText(externalHashNorm) ? undefined : externalHashNorm,
    withAccounts: false,
    transactionsFull,
  })

/** With the actions to show. */
const toPendingTraceView = async (
  trace: PendingTrace,
  actions: readonly PendingAction[],
  budget: AnswerBudget,
): Promise<TraceView> => {
  const transactions = inTraceOrder(trace.transactions)
  const texts = await budget.writeTexts(transactions, (each) => toPendingTransactionView(each, budget))
  const countSent = (those: readonly PendingTransaction[]): number =>
    those.reduce((sum, { outMessages }) => sum + outMessages.length, 0)
  const nows = transactions.map(({ now }) => now)
  const seqnos = transactions.map(({ mcSeqno }) => mcSeqno)
  return {
    trace_id: trace.traceId === undefined ? null : hashText(trace.traceId),
    external_hash: hashText(trace.externalHash),
    mc_seqno_start: String(transactions[0]?.isEmulated === false ? transactions[0].mcSeqno : 0),
    mc_seqno_end: String(Math.max(0, ...seqnos)),
    start_lt: String(transactions[0]?.lt ?? 0n),
    start_utime: transactions[0]?.now ?? 0,
    end_lt: transactions.length === 0 ? null : String(transactions.at(-1)!.lt),
    end_utime: transactions.length === 0 ? null : Math.max(...nows),
    trace_info: {
      trace_state: 'pending',
      messages: 1 + countSent(transactions),
      transactions: transactions.length,
      pending_messages: countSent(transactions.filter(({ isEmulated }) => isEmulated)),
      classification_state: trace.actions === undefined ? 'unclassified' : 'ok',
    },
    is_incomplete: trace.isIncomplete,
    actions: actions.map((action) => toPendingActionView(action, trace, undefined)),
    ...toTraceParts(transactions, texts),
  }
}

export const pendingActions = v3Endpoint({
  name: 'pendingActions',
  needsNode: true,
  tags: ['actions and traces'],
  summary: 'Actions of traces that are not in the index yet, latest first.',
  params: {
    ...pendingParams,
    include_transactions: withDefault(boolParam('Include the transactions of each action.'), false),
  },
  result: ActionsView,
  errors: ['query_too_costly'],
  async handle(context, params) {
    const { account, include_transactions: withTransactions } = params
    const types = readActionTypes(params, context.options)
    const isWanted = (action: PendingAction): boolean =>
      isShown(types, action) && (account === undefined || action.accounts.some((each) => bytesEqual(each, account)))
    const found = (await readPending(context, readPendingFilter(params), 'actions')).flatMap((trace) =>
      latestFirst((trace.actions ?? []).filter(isWanted)).map((action) => ({
        trace,
        action,
        transactions: withTransactions ? transactionsOf(trace, action) : undefined,
      })),
    )
    const beside = await hydrate(context, [
      ...addressesOfActions(found.map(({ action }) => action)),
      ...found.flatMap(({ transactions }) => addressesOfTransactions(transactions ?? [])),
    ])
    const { budget } = context
    const actions: ActionView[] = []
    for (const { trace, action, transactions } of found) {
      const full =
        transactions && (await budget.writeRows(transactions, (each) => toPendingTransactionView(each, budget)))
      actions.push(toPendingActionView(action, trace, full))
    }
    return { actions, ...beside }
  },
})

const latestFirst = (actions: readonly PendingAction[]): PendingAction[] =>
  [...actions].sort((a, b) => compare(b.endLt, a.endLt) || compare(b.startLt, a.startLt))

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** In the order of the action. */
const transactionsOf = ({ transactions }: PendingTrace, action: PendingAction): PendingTransaction[] => {
  const byHash = new Map(transactions.map((each) => [keyText(each.hash), each]))
  return action.transactions.map((hash) => byHash.get(keyText(hash))).filter((each) => each !== undefined)
}

export const pendingTraces = v3Endpoint({
  name: 'pendingTraces',
  needsNode: true,
  tags: ['actions and traces'],
  summary: 'Traces that are not in the index yet, with emulated transactions.',
  params: pendingParams,
  result: TracesView,
  errors: ['query_too_costly'],
  async handle(context, params) {
    const { account } = params
    const types = readActionTypes(params, context.options)
    const found = await readPending(context, readPendingFilter(params), 'traces')
    const traces = found
      .filter(
        ({ transactions }) => account === undefined || transactions.some((each) => bytesEqual(each.account, account)),
      )
      .map((trace) => ({ trace, actions: (trace.actions ?? []).filter((action) => isShown(types, action)) }))
    const beside = await hydrate(context, [
      ...traces.flatMap(({ trace }) => addressesOfTransactions(trace.transactions)),
      ...traces.flatMap(({ actions }) => addressesOfActions(actions)),
    ])
    const views: TraceView[] = []
    for (const { trace, actions } of traces) {
      views.push(await toPendingTraceView(trace, inOrder(actions), context.budget))
    }
    return { traces: views, ...beside }
  },
})

type Span = { readonly startLt: bigint; readonly endLt: bigint }

/** The order of indexed traces. */
const inOrder = <T extends Span>(actions: readonly T[]): T[] =>
  [...actions].sort((a, b) => compare(a.startLt, b.startLt) || compare(a.endLt, b.endLt))

export const pendingTransactions = v3Endpoint({
  name: 'pendingTransactions',
  needsNode: true,
  tags: ['transactions'],
  summary: 'Emulated transactions, latest first.',
  params: {
    account: optional(addressListParam('Account addresses.')),
    trace_id: optional(hashListParam('Trace ids, or hashes of the messages that started the traces.')),
  },
  result: TransactionsView,
  errors: ['not_indexed', 'query_too_costly'],
  async handle(context, { account, trace_id: hashes }) {
    const found = await select(context, account, hashes)
    const received = await findReceivedMessages(
      context.listReads,
      found.flatMap(({ inMessage }) => (inMessage === undefined ? [] : [inMessage.hash])),
    )
    const indexed = new Set(received.map(keyText))
    const transactions = inTraceOrder(found)
      .reverse()
      .filter(({ inMessage }) => inMessage === undefined || !indexed.has(keyText(inMessage.hash)))
    return {
      transactions: await context.budget.writeRows(transactions, (each) =>
        toPendingTransactionView(each, context.budget),
      ),
      // This endpoint always has an address book.
      address_book: await readAddressBook(context, addressesOfTransactions(transactions)),
    }
  },
})

/** Emulated transactions only. If both filters are given, both apply. */
const select = async (
  { pending }: V3Context,
  accounts: readonly Uint8Array[] | undefined,
  hashes: readonly Uint8Array[] | undefined,
): Promise<PendingTransaction[]> => {
  if (accounts === undefined && hashes === undefined) {
    throw new RefusedRequestError('at least 1 account address or trace_id required')
  }
  const traces = await pending.find(hashes === undefined ? { accounts: accounts ?? [] } : { hashes })
  if (traces.length === 0) throw new NotIndexedError('emulated traces not found')
  const wanted = accounts && new Set(accounts.map(keyText))
  return traces
    .flatMap(({ transactions }) => transactions)
    .filter(({ isEmulated, account }) => isEmulated && (wanted === undefined || wanted.has(keyText(account))))
}
