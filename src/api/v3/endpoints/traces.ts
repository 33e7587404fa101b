import type { Static } from 'typebox'
import { listAccountTraces } from '../../../store/reader/accountTraces.ts'
import type { ActionRecord } from '../../../store/reader/actions.ts'
import { isIndexed } from '../../../store/reader/blocks.ts'
import { findTraceIds } from '../../../store/reader/findTransactions.ts'
import { findMessageEnds } from '../../../store/reader/messageEnds.ts'
import type { Paged } from '../../../store/reader/page.ts'
import { findJoinedTraces, listTraces, type TraceRecord, type TraceWindow } from '../../../store/reader/traces.ts'
import { optional, type ParsedOf, withDefault } from '../../core/params.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { NotIndexedError, RefusedRequestError } from '../errors.ts'
import { readActionTypes, SupportedTypesParam } from '../filterParams.ts'
import { type FoundTrace, readFoundTraces, type TraceBeginning } from '../hydrate/readTraces.ts'
import { type ShownTransaction, showTransactions } from '../hydrate/showTransactions.ts'
import { addressParam, boolParam, hashListParam, int32Param, pageParams, sortParam, windowParams } from '../params.ts'
import type { V3Context } from '../V3Context.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { type ActionView, toActionView } from '../views/actions.ts'
import { hashText } from '../views/scalars.ts'
import { EventsView, TOO_LARGE, TracesView, type TraceView, toTraceParts } from '../views/traces.ts'

/** Actions of a finished trace. */
export const toFoundActionViews = (
  actions: readonly ActionRecord[],
  beginning: TraceBeginning | undefined,
): ActionView[] => {
  const around = {
    finality: 'finalized',
    externalHash: beginning?.hash,
    externalHashNorm: beginning?.normalHash,
    withAccounts: false,
    transactionsFull: undefined,
  } as const
  return actions.map((action) => toActionView(action, around))
}

/** An indexed trace. */
const toFoundTraceView = async (found: FoundTrace<ShownTransaction>, budget: AnswerBudget): Promise<TraceView> => {
  const { trace, beginning, transactions, actions } = found
  const texts = await budget.writeTexts(transactions ?? [], (each) => each.toView(budget))
  const parts = transactions && toTraceParts(transactions, texts)
  // All members in every object, absent ones undefined: see toTokenInfo.
  return {
    trace_id: hashText(trace.traceId),
    external_hash: beginning === undefined ? null : hashText(beginning.hash),
    mc_seqno_start: String(trace.startSeqno),
    mc_seqno_end: String(trace.endSeqno),
    start_lt: String(trace.startLt),
    start_utime: trace.startUtime,
    end_lt: String(trace.endLt),
    end_utime: trace.endUtime,
    trace_info: {
      trace_state: 'complete',
      messages: trace.messages,
      transactions: trace.transactions,
      pending_messages: 0,
      classification_state: 'unclassified',
    },
    is_incomplete: transactions === undefined,
    warning: parts === undefined ? TOO_LARGE : parts.warning,
    actions: actions && toFoundActionViews(actions, beginning),
    trace: parts?.trace,
    transactions_order: parts?.transactions_order,
    transactions: parts?.transactions,
  } as TraceView
}

const filterParams = {
  account: optional(addressParam('An account with a transaction in the trace.')),
  trace_id: optional(hashListParam('Trace ids (hashes of root transactions).')),
  tx_hash: optional(hashListParam('Transaction hashes.')),
  msg_hash: optional(hashListParam('Message hashes, plain or normalized.')),
  mc_seqno: optional(int32Param('Masterchain seqno at which the trace ended.')),
  ...windowParams("the trace's end"),
  supported_action_types: SupportedTypesParam,
  ...pageParams,
  sort: sortParam(),
} as const

type FilterArguments = ParsedOf<typeof filterParams>

const errors = ['not_indexed', 'cursor_refused', 'query_too_costly'] as const

export const traces = v3Endpoint({
  name: 'traces',
  tags: ['actions and traces'],
  summary: 'List finished traces, ordered by their end. A trace is finished when all its messages have arrived.',
  params: {
    ...filterParams,
    include_actions: withDefault(boolParam('Include the actions of each trace.'), false),
  },
  result: TracesView,
  errors,
  async handle(context, params) {
    const { found, ...beside } = await answer(context, params, params.include_actions)
    return { traces: found, ...beside }
  },
})

/** Alias for older clients. */
export const events = v3Endpoint({
  name: 'events',
  tags: ['actions and traces'],
  summary: 'Deprecated alias of traces, with actions.',
  params: filterParams,
  result: EventsView,
  errors,
  async handle(context, params) {
    const { found, ...beside } = await answer(context, params, true)
    return { events: found, ...beside }
  },
})

const answer = async (
  context: V3Context,
  params: FilterArguments,
  withActions: boolean,
): Promise<{ found: Static<typeof TracesView>['traces'] } & Omit<Static<typeof TracesView>, 'traces'>> => {
  const { rows, next } = await select(context, params)
  const types = withActions ? readActionTypes(params, context.options) : undefined
  const { found, beside } = await readFoundTraces(context, rows, types, (found, beside) =>
    showTransactions(context, found, beside),
  )
  context.tellNext(next)
  const views: Static<typeof TracesView>['traces'] = []
  for (const each of found) views.push(await toFoundTraceView(each, context.budget))
  return { found: views, ...beside }
}

const select = async (context: V3Context, params: FilterArguments): Promise<Paged<TraceRecord>> => {
  const { account, mc_seqno: mcSeqno } = params
  const { listReads, readPage } = context
  const given = [account, params.trace_id, params.tx_hash, params.msg_hash].filter((value) => value !== undefined)
  if (given.length > 1) {
    throw new RefusedRequestError('only one of account, trace_id, tx_hash, msg_hash should be specified')
  }
  const page = readPage(params)
  const window: TraceWindow = {
    startUtime: params.start_utime,
    endUtime: params.end_utime,
    startLt: params.start_lt,
    endLt: params.end_lt,
    direction: params.sort,
  }
  if (mcSeqno !== undefined && !(await isIndexed(listReads, mcSeqno))) {
    throw new NotIndexedError(`masterchain block ${mcSeqno} not found`)
  }
  if (account !== undefined && mcSeqno === undefined) return listAccountTraces(listReads, account, window, page)
  const traceIds =
    account !== undefined && mcSeqno !== undefined
      ? await findJoinedTraces(listReads, account, mcSeqno)
      : await findNamedTraces(context, params)
  return listTraces(listReads, { traceIds, mcSeqno, window }, page)
}

/** `undefined` if no trace is named. */
const findNamedTraces = async (
  { listReads }: V3Context,
  { trace_id, tx_hash, msg_hash }: FilterArguments,
): Promise<readonly Uint8Array[] | undefined> => {
  if (tx_hash !== undefined) return findTraceIds(listReads, tx_hash)
  if (msg_hash !== undefined) return (await findMessageEnds(listReads, msg_hash)).map(({ traceId }) => traceId)
  return trace_id
}
