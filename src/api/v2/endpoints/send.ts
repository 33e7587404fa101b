import { type Static, Type } from 'typebox'
import { CallerWaitsError, WaitsExhaustedError } from '../../../chain/confirmations.ts'
import { NodeRefusedError } from '../../../chain/errors.ts'
import type { TransactionKey } from '../../../chain/LiveChain.ts'
import { normalizedExternalHash } from '../../../codec/tlb/Message.ts'
import { formatUpperRawAddress, parseAddressKey } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { withDefault } from '../../core/params.ts'
import { MAX_WAIT_S, SendStatusView, waitParams } from '../../core/waitParams.ts'
import { describeNodeError } from '../envelope.ts'
import { MessageRefusedError, NodeClientError } from '../errors.ts'
import { bagQueryParams, decodeBagQuery, objectQueryParams, readObjectQuery, sendQueryParts } from '../externalQuery.ts'
import { boolParam } from '../params.ts'
import { sendAndWait } from '../sendAndWait.ts'
import { MessageParam, OkView, type SentMessage, sendMessage } from '../sendMessage.ts'
import { toTransactionReading } from '../TransactionReading.ts'
import { type V2Context, v2LocalEndpoint } from '../v2Endpoint.ts'
import { HashView, LtView, typeName, UpperRawView } from '../views/scalars.ts'
import { ExtTransactionView, toExtTransactionView } from '../views/transactions.ts'

export const sendBoc = v2LocalEndpoint({
  name: 'sendBoc',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Send an external message. Acceptance by a node does not mean that it will be executed.',
  params: { boc: MessageParam },
  result: OkView,
  errors: ['node_refused', 'node_unavailable'],
  async handle(context, { boc }) {
    await sendMessage(context, boc)
    return { '@type': 'ok' as const }
  },
})

const SentMessageView = Type.Object(
  { '@type': typeName('raw.extMessageInfo'), hash: HashView, hash_norm: HashView },
  {
    $id: 'SentMessage',
    description: 'Hash of the message as sent, and its normalized hash.',
  },
)

export const toSentMessageView = ({ root, message }: SentMessage): Static<typeof SentMessageView> => ({
  '@type': 'raw.extMessageInfo',
  hash: toBase64(root.hash()),
  hash_norm: toBase64(normalizedExternalHash(message)),
})

export const sendBocReturnHash = v2LocalEndpoint({
  name: 'sendBocReturnHash',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Send an external message and return its hashes.',
  params: { boc: MessageParam },
  result: SentMessageView,
  errors: ['node_refused', 'node_unavailable'],
  handle: async (context, { boc }) => toSentMessageView(await sendMessage(context, boc)),
})

export const sendBocReturnHashNoError = v2LocalEndpoint({
  name: 'sendBocReturnHashNoError',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Like sendBocReturnHash, but a refused message is a client error.',
  params: { boc: MessageParam },
  result: SentMessageView,
  errors: ['message_refused', 'node_unavailable'],
  async handle(context, { boc }) {
    try {
      return toSentMessageView(await sendMessage(context, boc))
    } catch (error) {
      if (error instanceof NodeClientError) throw new MessageRefusedError(error.message, { cause: error })
      if (error instanceof NodeRefusedError) throw new MessageRefusedError(describeNodeError(error), { cause: error })
      throw error
    }
  },
})

/** Time for the answer itself, beyond the wait. */
const SPARE_MS = 10_000

const TraceTransactionView = Type.Object(
  { '@type': typeName('blocks.shortTxId'), account: UpperRawView, lt: LtView, hash: HashView },
  { $id: 'TraceTransactionId' },
)

const WaitedMessageView = Type.Object(
  {
    '@type': typeName('ext.sendResult'),
    status: SendStatusView,
    hash: HashView,
    hash_norm: HashView,
    trace_id: Type.Union([HashView, Type.Null()], { description: 'Hash of the first transaction, if finalized.' }),
    exit_code: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the contract that refused the message.' }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the message was not executed.' }),
    transaction: Type.Union([ExtTransactionView, Type.Null()], {
      description: 'The transaction that executed the message, if finalized.',
    }),
    transactions: Type.Array(TraceTransactionView, { description: 'All transactions of the trace, if finalized.' }),
  },
  { $id: 'WaitedMessage' },
)

export const sendBocAndWait = v2LocalEndpoint({
  name: 'sendBocAndWait',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Send an external message and wait until its whole trace is indexed, or say why it was not executed.',
  description:
    'A message that was executed before is found, so the call can be repeated. It needs the index; without one the status is 503.',
  params: {
    boc: MessageParam,
    ...waitParams,
    include_transactions: withDefault(boolParam('include_transactions', 'Read the transactions of the trace.'), true),
  },
  result: WaitedMessageView,
  errors: ['rate_limited', 'waits_exhausted', 'index_missing', 'node_refused', 'node_unavailable'],
  timeoutMs: 1000 * MAX_WAIT_S + SPARE_MS,
  async handle(context, { boc, timeout, until, include_transactions: withTransactions }) {
    const result = await sendAndWait(context, boc, { until, timeoutMs: 1000 * timeout }).catch((error: unknown) => {
      // One of the waits ends within seconds.
      const isBusy = error instanceof CallerWaitsError || error instanceof WaitsExhaustedError
      if (isBusy) context.call.trace.headers = { ...context.call.trace.headers, 'retry-after': '1' }
      throw error
    })
    const { traceId } = result
    const keys =
      traceId !== undefined && withTransactions !== false ? await context.confirmations!.listTransactions(traceId) : []
    return {
      '@type': 'ext.sendResult' as const,
      status: result.status,
      hash: toBase64(result.root.hash()),
      hash_norm: toBase64(result.normalHash),
      trace_id: traceId === undefined ? null : toBase64(traceId),
      exit_code: result.exitCode ?? null,
      error: result.error ?? null,
      transaction: keys[0] === undefined ? null : await readTransactionView(context, keys[0]),
      transactions: keys.map(({ account, lt, hash }) => ({
        '@type': 'blocks.shortTxId' as const,
        account: formatKey(account),
        lt: String(lt),
        hash: toBase64(hash),
      })),
    }
  },
})

const formatKey = (account: Uint8Array): string => {
  const address = parseAddressKey(account)
  return typeof address === 'string' ? address : formatUpperRawAddress(address)
}

const readTransactionView = async (
  { chain, call }: V2Context,
  { account, lt, hash }: TransactionKey & { readonly account: Uint8Array },
): Promise<Static<typeof ExtTransactionView> | null> => {
  const address = parseAddressKey(account)
  if (typeof address === 'string') return null
  return chain.withNode({ signal: call.signal }, async (node) => {
    const [found] = (await node.getTransactions(address, { lt, hash }, 1)).transactions
    return found === undefined ? null : toExtTransactionView(toTransactionReading(address.workchain, found))
  })
}

export const sendQuery = v2LocalEndpoint({
  name: 'sendQuery',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Build an external message from its parts and send it.',
  params: bagQueryParams,
  result: OkView,
  errors: ['node_refused', 'node_unavailable'],
  handle: (context, { address, ...parts }) => sendQueryParts(context, address, decodeBagQuery(parts)),
})

export const sendQuerySimple = v2LocalEndpoint({
  name: 'sendQuerySimple',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Deprecated: sendQuery with cells as JSON objects.',
  params: objectQueryParams,
  result: OkView,
  errors: ['cell_object_invalid', 'node_refused', 'node_unavailable'],
  handle: (context, { address, ...parts }) => sendQueryParts(context, address, readObjectQuery(parts)),
})
