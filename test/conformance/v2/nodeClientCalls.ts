import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { readAddress } from '../../support/goldenAddress.ts'
import type { GoldenCase } from '../../support/goldenCases.ts'
import { anything } from './Expectation.ts'

/** The v2 question that has a call of the node client behind it in the 2.1 line, and what its result becomes there. */
export type NodeClientCall = {
  readonly endpoint: string
  readonly params: JsonObject
  readonly toResult: (result: JsonObject) => JsonValue
}

/** Why there is no such question. */
type Reason = string

/** The question behind a recorded call, or why there is none. */
export const findNodeClientCall = ({ request, response }: GoldenCase): NodeClientCall | Reason => {
  const call = readCall(request.body)
  const find = calls[call.name]
  if (find === undefined) return `No v2 endpoint passes on ${call.name}.`
  return find(call, response)
}

/** A call, the masterchain block that it was asked at, and the account that was loaded before it. */
type Call = { readonly name: string; readonly args: JsonObject; readonly at: JsonObject; readonly account: string }

const readCall = (body: JsonValue | undefined): Call => {
  const steps = (Array.isArray(body) ? body : [body]).filter(isJsonObject)
  const block = steps.map(({ '@type': type, id }) => (type === 'withBlock' ? id : undefined)).find(isJsonObject)
  const inner = steps.map((step) => (step['@type'] === 'withBlock' ? (step['function'] as JsonObject) : step))
  const args = inner.at(-1)!
  return {
    name: args['@type'] as string,
    args,
    at: block === undefined ? {} : { seqno: block['seqno']! },
    account: accountOf(inner[0]!['account_address'] ?? inner[0]!['destination']),
  }
}

const accountOf = (value: JsonValue | undefined): string => {
  const text = isJsonObject(value) ? value['account_address'] : value
  return typeof text === 'string' ? text : ''
}

const asItIs = (result: JsonObject): JsonValue => result

const blockPlace = (id: JsonValue | undefined): JsonObject => {
  const { workchain, shard, seqno } = id as { workchain: number; shard: string; seqno: number }
  return { workchain, shard, seqno }
}

const blockId = (id: JsonValue | undefined): JsonObject => {
  const { root_hash, file_hash } = id as { root_hash: string; file_hash: string }
  return { ...blockPlace(id), root_hash, file_hash }
}

const without = (object: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** The servers always send the cursor bit (10.3.1). Without it the client answers the same, but for the number itself. */
const cursorMode = 135
const modes: readonly JsonValue[] = [cursorMode, 7]

const blockPage = (endpoint: string, { args }: Call, toItem: (item: JsonObject, workchain: number) => JsonValue) => {
  if (!modes.includes(args['mode']!)) return 'The servers always ask for block lists with mode 135.'
  const { account, lt } = args['after'] as { account: string; lt: JsonValue }
  const isStart = `${lt}` === '0' && /^A+=$/.test(account)
  const cursor = isStart ? {} : { after_lt: `${lt}`, after_hash: account }
  const { workchain } = args['id'] as { workchain: number }
  return {
    endpoint,
    params: { ...blockId(args['id']), count: args['count']!, ...cursor },
    toResult: (result: JsonObject) => ({
      ...result,
      transactions: (result['transactions'] as readonly JsonObject[]).map((item) => toItem(item, workchain)),
    }),
  }
}

const toHex = (base64: JsonValue | undefined): string => Buffer.from(base64 as string, 'base64').toString('hex')

const toTransactionExt = (item: JsonObject): JsonObject => {
  const { workchain, hex } = readAddress(accountOf(item['address']))!
  return { ...item, '@type': 'raw.transactionExt', account: `${workchain}:${hex.toUpperCase()}` }
}

const lookups: { readonly [mode: number]: (args: JsonObject) => JsonObject } = {
  1: ({ id }) => ({ seqno: (id as JsonObject)['seqno']! }),
  2: ({ lt }) => ({ lt: lt! }),
  4: ({ utime }) => ({ unixtime: utime! }),
}

/** Balance −1 is how the client says that there is no account. */
const clampBalance = (result: JsonObject): JsonObject =>
  result['balance'] === '-1' ? { ...result, balance: '0' } : result

const stateOf = ({ code, frozen_hash }: JsonObject): string => {
  if (code !== '') return 'active'
  return frozen_hash === '' ? 'uninitialized' : 'frozen'
}

const history = (call: Call, limit: JsonValue): NodeClientCall => {
  const { lt, hash } = call.args['from_transaction_id'] as { lt: JsonValue; hash: string }
  const isDecoded = call.args['try_decode_messages'] !== false
  return {
    endpoint: 'getTransactionsStd',
    params: { address: call.account, lt, hash, limit },
    toResult: isDecoded ? asItIs : withoutBodies,
  }
}

/** The servers have bodies decoded: where that was not asked for, they are not compared. */
const withoutBodies = (result: JsonObject): JsonValue => {
  const withoutBody = (message: JsonValue): JsonValue => ({ ...(message as JsonObject), msg_data: anything })
  const transactions = (result['transactions'] as readonly JsonObject[]).map((transaction) => ({
    ...transaction,
    out_msgs: (transaction['out_msgs'] as readonly JsonValue[]).map(withoutBody),
    ...(transaction['in_msg'] === undefined ? {} : { in_msg: withoutBody(transaction['in_msg']) }),
  }))
  return { ...result, transactions }
}

const methodOf = (method: JsonValue | undefined): JsonValue => {
  const { name, number } = method as JsonObject
  return name ?? number ?? null
}

const account = (endpoint: string, toResult: (result: JsonObject) => JsonValue) => (call: Call) => ({
  endpoint,
  params: { address: call.account, ...call.at },
  toResult,
})

const calls: { readonly [name: string]: (call: Call, response: JsonObject) => NodeClientCall | Reason } = {
  'blocks.getBlockHeader': ({ args }) => ({
    endpoint: 'getBlockHeader',
    params: blockId(args['id']),
    toResult: (result) => without(result, 'flags'),
  }),
  'blocks.getMasterchainBlockSignatures': ({ args }) => ({
    endpoint: 'getMasterchainBlockSignatures',
    params: { seqno: args['seqno']! },
    toResult: asItIs,
  }),
  'blocks.getOutMsgQueueSizes': ({ args, at }) =>
    args['mode'] === 0 && at['seqno'] === undefined
      ? { endpoint: 'getOutMsgQueueSize', params: {}, toResult: asItIs }
      : 'The endpoint always asks for all queues of the head.',
  'blocks.getShardBlockProof': ({ args }) => ({
    endpoint: 'getShardBlockProof',
    params: { ...blockPlace(args['id']), from_seqno: (args['from'] as JsonObject)['seqno']! },
    toResult: asItIs,
  }),
  'blocks.getShards': ({ args }) => ({
    endpoint: 'getShards',
    params: { seqno: (args['id'] as JsonObject)['seqno']! },
    toResult: asItIs,
  }),
  'blocks.getTransactions': (call) =>
    blockPage('getBlockTransactions', call, (item, workchain) => ({
      ...item,
      mode: cursorMode,
      account: `${workchain}:${toHex(item['account'])}`,
    })),
  'blocks.getTransactionsExt': (call) => blockPage('getBlockTransactionsExt', call, toTransactionExt),
  'blocks.lookupBlock': ({ args }) => {
    const criterion = lookups[args['mode'] as number]
    if (criterion === undefined) return 'The endpoint asks by one criterion at a time.'
    const { workchain, shard } = args['id'] as { workchain: number; shard: string }
    return { endpoint: 'lookupBlock', params: { workchain, shard, ...criterion(args) }, toResult: asItIs }
  },
  'dns.resolve': ({ args, at, account }) => ({
    endpoint: 'dnsResolve',
    params: { address: account, name: args['name']!, ttl: args['ttl']!, ...at },
    toResult: asItIs,
  }),
  getAccountState: account('getExtendedAddressInformation', clampBalance),
  getConfigAll: ({ at }) => ({ endpoint: 'getConfigAll', params: at, toResult: asItIs }),
  getConfigParam: ({ args, at }) => ({
    endpoint: 'getConfigParam',
    params: { param: args['param']!, ...at },
    toResult: asItIs,
  }),
  getShardAccountCell: account('getShardAccountCell', asItIs),
  'query.estimateFees': () => 'Fees depend on the time of the question.',
  'raw.getAccountState': account('getAddressInformation', (result) => ({
    ...clampBalance(result),
    state: stateOf(result),
    suspended: false,
  })),
  // The old call has no count: it is asked for as many as it gave.
  'raw.getTransactions': (call, { transactions }) =>
    Array.isArray(transactions) && transactions.length > 0
      ? history(call, transactions.length)
      : 'The old call has no count, and gave nothing.',
  // A node gives 16 at most, and the client does not ask again.
  'raw.getTransactionsV2': (call) => history(call, Math.min(16, call.args['count'] as number)),
  'raw.sendMessage': ({ args }) => ({ endpoint: 'sendBoc', params: { boc: args['body']! }, toResult: asItIs }),
  'raw.sendMessageReturnHash': ({ args }) => ({
    endpoint: 'sendBocReturnHash',
    params: { boc: args['body']! },
    toResult: asItIs,
  }),
  'smc.getLibraries': ({ args }) => ({
    endpoint: 'getLibraries',
    params: { libraries: args['library_list']! },
    toResult: asItIs,
  }),
  'smc.runGetMethod': ({ args, at, account }) => ({
    endpoint: 'runGetMethodStd',
    params: { address: account, method: methodOf(args['method']), stack: args['stack']!, ...at },
    toResult: asItIs,
  }),
  unpackAccountAddress: ({ args }) => ({
    endpoint: 'unpackAddress',
    params: { address: args['account_address']! },
    toResult: ({ workchain_id, addr }) => `${workchain_id}:${toHex(addr).toUpperCase()}`,
  }),
}
