import { type ActionRecord, type BoundedActions, listActions } from '../../../store/reader/actions.ts'
import { isIndexed } from '../../../store/reader/blocks.ts'
import { findTransactionsByHash } from '../../../store/reader/findTransactions.ts'
import { findMessageEnds } from '../../../store/reader/messageEnds.ts'
import type { Paged } from '../../../store/reader/page.ts'
import { keyText } from '../../../store/reader/TransactionRecord.ts'
import { findBlockTraces, type TraceWindow } from '../../../store/reader/traces.ts'
import { asJson } from '../../core/json/stringifyJson.ts'
import { optional, type ParsedOf, withDefault } from '../../core/params.ts'
import { NotIndexedError } from '../errors.ts'
import { actionTypesParam, readActionTypes, SupportedTypesParam } from '../filterParams.ts'
import { distinctKeys, hydrate } from '../hydrate/hydrate.ts'
import { readBeginnings, readFullTransactions } from '../hydrate/readTraces.ts'
import { addressParam, boolParam, hashListParam, int32Param, pageParams, sortParam, windowParams } from '../params.ts'
import type { V3Context } from '../V3Context.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { ActionsView, addressesOfActions, toActionView } from '../views/actions.ts'
import { addressesOfTransactions, type TransactionView, toTransactionView } from '../views/transactions.ts'

const params = {
  account: optional(addressParam('An account that takes part in the action.')),
  tx_hash: optional(hashListParam('Hashes of transactions of the action.')),
  msg_hash: optional(hashListParam('Hashes (plain or normalized) of messages of the action.')),
  action_id: optional(hashListParam('Action ids; all other filters except types are ignored.')),
  trace_id: optional(hashListParam('Trace ids; all other filters except account and types are ignored.')),
  mc_seqno: optional(int32Param('Masterchain seqno at which the trace ended.')),
  ...windowParams("the trace's end"),
  action_type: actionTypesParam('action_type', 'Include only these types.'),
  exclude_action_type: actionTypesParam('exclude_action_type', 'Exclude these types.'),
  supported_action_types: SupportedTypesParam,
  include_accounts: withDefault(boolParam('Include the accounts of each action.'), false),
  include_transactions: withDefault(boolParam('Include the transactions of each action.'), false),
  ...pageParams,
  sort: sortParam(),
} as const

type Arguments = ParsedOf<typeof params>

export const actions = v3Endpoint({
  name: 'actions',
  tags: ['actions and traces'],
  summary: 'List actions, ordered by the end of their traces.',
  params,
  result: ActionsView,
  errors: ['not_indexed', 'cursor_refused', 'query_too_costly'],
  async handle(context, asked) {
    const { rows, next } = await select(context, asked)
    const ids = distinctKeys(rows.map(({ traceId }) => traceId))
    const hashes = asked.include_transactions ? rows.flatMap(({ transactions }) => transactions) : []
    const [beginnings, records] = await Promise.all([
      readBeginnings(context, ids),
      readFullTransactions(context, hashes),
    ])
    const beside = await hydrate(context, [
      ...addressesOfActions(rows),
      ...(asked.include_accounts ? rows.flatMap(({ accounts }) => accounts) : []),
      ...addressesOfTransactions([...records.values()]),
    ])
    context.tellNext(next)
    const { budget } = context
    const texts = await budget.writeTexts([...records.values()], (record) => toTransactionView(record, budget))
    const textOf = new Map([...records.keys()].map((hash, k) => [hash, texts[k]!]))
    const transactionsOf = ({ transactions }: ActionRecord): TransactionView[] =>
      transactions
        .map((hash) => textOf.get(keyText(hash)))
        .filter((text) => text !== undefined)
        .map((text) => {
          // A transaction may belong to several actions.
          budget.takeText(text.length)
          return asJson(text)
        })
    const shown = rows.map((action) => {
      const beginning = beginnings.get(keyText(action.traceId))
      return toActionView(action, {
        finality: 'finalized',
        externalHash: beginning?.hash,
        externalHashNorm: beginning?.normalHash,
        withAccounts: asked.include_accounts,
        transactionsFull: asked.include_transactions ? transactionsOf(action) : undefined,
      })
    })
    return { actions: shown, ...beside }
  },
})

const noWindow = { startUtime: undefined, endUtime: undefined, startLt: undefined, endLt: undefined } as const

const select = async (context: V3Context, asked: Arguments): Promise<Paged<ActionRecord>> => {
  const { listReads, options, readPage } = context
  // No action has an empty type.
  if (asked.action_type?.length === 0) return { rows: [], next: undefined }
  const types = readActionTypes(asked, options)
  const page = readPage(asked)
  const { account, action_id: actionIds, trace_id: traceIds, sort: direction } = asked
  // Ids of actions or traces override other filters.
  if (actionIds !== undefined || traceIds !== undefined) {
    const among = actionIds !== undefined ? { actionIds } : { traceIds, account }
    return listActions(listReads, { types, window: { ...noWindow, direction }, among, account: undefined }, page)
  }
  const window: TraceWindow = {
    startUtime: asked.start_utime,
    endUtime: asked.end_utime,
    startLt: asked.start_lt,
    endLt: asked.end_lt,
    direction,
  }
  const among = await findBounds(context, asked)
  if (among?.traceIds?.length === 0) return { rows: [], next: undefined }
  return listActions(listReads, { types, window, among, account }, page)
}

/** The bounds of the list; `undefined` if only an account is given. */
const findBounds = async ({ listReads }: V3Context, asked: Arguments): Promise<BoundedActions | undefined> => {
  const { account, tx_hash, msg_hash, mc_seqno: mcSeqno } = asked
  if (mcSeqno !== undefined && !(await isIndexed(listReads, mcSeqno))) {
    throw new NotIndexedError(`masterchain block ${mcSeqno} not found`)
  }
  const ends = [
    ...(tx_hash === undefined ? [] : [await findOwnEnds(listReads, tx_hash)]),
    ...(msg_hash === undefined ? [] : [await findMessageEnds(listReads, msg_hash)]),
  ]
  if (ends.length > 0) {
    const traceIds = distinctKeys(ends.flat().map(({ traceId }) => traceId))
    const transactions = ends.map((each) => each.map(({ hash }) => hash))
    return { traceIds, transactions, mcSeqno, account }
  }
  if (mcSeqno === undefined) return undefined
  return { traceIds: (await findBlockTraces(listReads, mcSeqno)).map(({ traceId }) => traceId), mcSeqno, account }
}

const findOwnEnds = async (reader: V3Context['listReads'], hashes: readonly Uint8Array[]) =>
  (await findTransactionsByHash(reader, hashes)).map(({ trace_id: traceId, hash }) => ({ traceId, hash }))
