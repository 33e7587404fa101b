import { type Static, Type } from 'typebox'
import { fromBase64 } from '../../../primitives/base64.ts'
import type { PendingTrace, PendingTransaction } from '../../../store/reader/pending.ts'
import { readTransactionsWith } from '../../../store/reader/readTransactions.ts'
import { inLtOrder, type TransactionRecord } from '../../../store/reader/TransactionRecord.ts'
import { listTraces } from '../../../store/reader/traces.ts'
import type { JsonObject } from '../../core/json/parseJson.ts'
import { optional, param, withDefault } from '../../core/params.ts'
import { MAX_WAIT_S, SendStatusView, waitParams } from '../../core/waitParams.ts'
import { MissingArgumentError } from '../errors.ts'
import { isShown, readActionTypes, SupportedTypesParam } from '../filterParams.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { readFoundTraces } from '../hydrate/readTraces.ts'
import { boolParam } from '../params.ts'
import { proxyToV2 } from '../proxyToV2.ts'
import type { V3Context } from '../V3Context.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { ActionView, addressesOfActions } from '../views/actions.ts'
import { AddressBookView, MetadataView } from '../views/addressBook.ts'
import { BocText, DecimalText, HashText } from '../views/scalars.ts'
import {
  addressesOfTransactions,
  TransactionView,
  toPendingTransactionView,
  toTransactionView,
} from '../views/transactions.ts'
import { toPendingActionView } from './pending.ts'
import { toFoundActionViews } from './traces.ts'

/** Time for the answer itself, beyond the wait. */
const SPARE_MS = 15_000

const nullable = <T extends ReturnType<typeof Type.Integer> | typeof HashText | typeof DecimalText>(
  schema: T,
  description: string,
) => Type.Union([schema, Type.Null()], { description })

const SendAndWaitView = Type.Object(
  {
    status: SendStatusView,
    message_hash: HashText,
    message_hash_norm: HashText,
    trace_id: nullable(HashText, 'Hash of the first transaction, once it is indexed.'),
    exit_code: nullable(Type.Integer(), 'Of the contract that refused the message.'),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the message was not executed.' }),
    is_incomplete: Type.Boolean({ description: 'Transactions are missing: the trace is too large.' }),
    transactions: Type.Array(TransactionView, {
      description: 'The transactions of the trace by logical time; emulated if pending.',
    }),
    actions: Type.Optional(Type.Array(ActionView)),
    total_fees: nullable(DecimalText, 'What all accounts and messages of the trace paid, in nano units.'),
    address_book: AddressBookView,
    metadata: MetadataView,
  },
  { $id: 'SendAndWaitResult' },
)

type Sent = {
  readonly status: Static<typeof SendAndWaitView>['status']
  readonly hash: string
  readonly hash_norm: string
  readonly trace_id: string | null
  readonly exit_code: number | null
  readonly error: string | null
}

export const sendAndWait = v3Endpoint({
  name: 'sendAndWait',
  needsNode: true,
  methods: ['POST'],
  tags: ['legacy'],
  summary: 'Send an external message and wait until its whole trace is indexed, or say why it was not executed.',
  description:
    'Returns the transactions and actions of the trace. A message that was executed before is found, so the call can be repeated with the ' +
    'same message. The status is 429 or 503, with Retry-After, if too many calls wait.',
  params: {
    boc: optional(param(BocText)),
    ...waitParams,
    include_actions: withDefault(boolParam('Include the actions of the trace.'), false),
    supported_action_types: SupportedTypesParam,
  },
  result: SendAndWaitView,
  errors: [
    'unauthorized',
    'rate_limited',
    'waits_exhausted',
    'index_missing',
    'live_interface_missing',
    'live_interface_refused',
    'query_too_costly',
  ],
  timeoutMs: 1000 * MAX_WAIT_S + SPARE_MS,
  async handle(context, params) {
    const { boc, timeout, until, include_actions: withActions } = params
    if (boc === undefined || boc === '') throw new MissingArgumentError('boc is required')
    const types = withActions ? readActionTypes(params, context.options) : undefined
    const args: JsonObject = { boc, timeout, until, include_transactions: false }
    const sent = (await proxyToV2(context, 'sendBocAndWait', args)) as unknown as Sent
    const found = sent.trace_id === null ? undefined : await readFinished(context, fromBase64(sent.trace_id), types)
    if (found !== undefined) return { ...describeSent(sent), ...(await describeFound(context, found)) }
    const pending =
      sent.status === 'finalized' || sent.status === 'pending' ? await findPending(context, sent) : undefined
    const actions = types && (pending?.actions ?? []).filter((action) => isShown(types, action))
    return { ...describeSent(sent), ...(await describePending(context, pending, actions)) }
  },
})

type Answer = Static<typeof SendAndWaitView>
type Course = Omit<Answer, keyof ReturnType<typeof describeSent>> & Partial<Pick<Answer, 'trace_id'>>

const describeSent = ({ status, hash, hash_norm, trace_id, exit_code, error }: Sent) => ({
  status,
  message_hash: hash,
  message_hash_norm: hash_norm,
  trace_id,
  exit_code,
  error,
})

const anyTime = {
  startUtime: undefined,
  endUtime: undefined,
  startLt: undefined,
  endLt: undefined,
  direction: 'desc',
} as const
const one = { limit: 1, offset: 0, after: undefined } as const

/** This call may read a replica that is behind the server on which the trace was found. */
const TRIES = 40
const RETRY_MS = 50

type FoundTraces = Awaited<ReturnType<typeof readFoundTraces<TransactionRecord>>>

const readFinished = async (
  context: V3Context,
  traceId: Uint8Array,
  types: ReturnType<typeof readActionTypes> | undefined,
): Promise<FoundTraces | undefined> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const filter = { traceIds: [traceId], mcSeqno: undefined, window: anyTime }
    const { rows } = await listTraces(context.listReads, filter, one)
    if (rows.length > 0) {
      return readFoundTraces(context, rows, types, async (found, readNames) => {
        const { records, beside } = await readTransactionsWith(context, found, readNames)
        return { transactions: records, beside }
      })
    }
    await new Promise((done) => setTimeout(done, RETRY_MS))
    context.call.signal.throwIfAborted()
  }
  return undefined
}

const describeFound = async ({ budget }: V3Context, { found, beside }: FoundTraces): Promise<Course> => {
  const { transactions, actions, beginning } = found[0]!
  return {
    is_incomplete: transactions === undefined,
    transactions: await budget.writeRows(transactions ?? [], (each) => toTransactionView(each, budget)),
    ...(actions !== undefined && { actions: toFoundActionViews(actions, beginning) }),
    total_fees: transactions === undefined ? null : String(sumFees(transactions)),
    ...beside,
  }
}

const findPending = async ({ pending }: V3Context, { hash_norm }: Sent): Promise<PendingTrace | undefined> =>
  (await pending.find({ hashes: [fromBase64(hash_norm)] }))[0]

const describePending = async (
  context: V3Context,
  trace: PendingTrace | undefined,
  actions: PendingTrace['actions'],
): Promise<Course> => {
  const { budget } = context
  const transactions: PendingTransaction[] = (trace?.transactions ?? []).toSorted(inLtOrder('asc'))
  const beside = await hydrate(context, [
    ...addressesOfTransactions(transactions),
    ...addressesOfActions(actions ?? []),
  ])
  return {
    ...(trace?.traceId !== undefined && { trace_id: Buffer.from(trace.traceId).toString('base64') }),
    is_incomplete: trace?.isIncomplete ?? false,
    transactions: await budget.writeRows(transactions, (each) => toPendingTransactionView(each, budget)),
    ...(actions !== undefined && {
      actions: trace === undefined ? [] : actions.map((action) => toPendingActionView(action, trace, undefined)),
    }),
    total_fees: trace === undefined ? null : String(sumFees(transactions)),
    ...beside,
  }
}

/** Forward fees that internal messages carry are not in the fees of a transaction. */
const sumFees = (transactions: readonly Pick<TransactionRecord, 'totalFees' | 'outMessages'>[]): bigint =>
  transactions.reduce(
    (sum, { totalFees, outMessages }) =>
      outMessages.reduce((all, { kind, fwdFee }) => all + (kind === 'internal' ? (fwdFee ?? 0n) : 0n), sum + totalFees),
    0n,
  )
