import { getMethodId } from '@ton/core'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { stringifyJson } from '../../../src/api/core/json/stringifyJson.ts'
import { readFixture } from '../../support/fixtures.ts'
import { rawOf, readAddress, readHash } from '../../support/goldenAddress.ts'
import { type GoldenCase, readGoldenCases } from '../../support/goldenCases.ts'
import { type Question, questionOf, readQuestion, type Transport } from '../../support/goldenQuestion.ts'
import { contractParams, postOnly } from './contractParams.ts'
import { findNodeClientCall, type NodeClientCall } from './nodeClientCalls.ts'

/** A recorded question as we ask it. */
export type AskedCase = GoldenCase & {
  readonly question: Question
  /** The call of the node client that it was; a reason where it is no question of v2. */
  readonly call: NodeClientCall | string | undefined
}

/** A transaction of the recorded network, as parsed by an independent library. */
type KnownTransaction = {
  readonly account: string
  readonly hash: string
  readonly in_msg?: KnownMessage | null
  readonly out_msgs: readonly KnownMessage[]
}

type KnownMessage = { readonly src: string | null; readonly dest: string | null; readonly created_lt: string | null }

/** All that was recorded, with the ways in which one recording may tell what another question should be answered with. */
export class GoldenSet {
  readonly cases: readonly AskedCase[]
  private readonly answered = new Map<string, JsonValue>()
  private readonly transactions = new Map<string, JsonObject>()
  private readonly known: readonly KnownTransaction[]

  constructor() {
    this.cases = readGoldenCases().map(toAsked)
    for (const { server, status, question, response } of this.cases) {
      if (server !== 'python-2.0' || status !== 200) continue
      if (isNameByMistake(question)) continue
      const result = response['result']!
      this.answered.set(keyOf(question), result)
      for (const item of Array.isArray(result) ? result : [result]) {
        if (!isJsonObject(item) || item['@type'] !== 'raw.transaction') continue
        this.transactions.set((item['transaction_id'] as JsonObject)['hash'] as string, item)
      }
    }
    const lines = Buffer.from(readFixture('localnet/transactions.jsonl')).toString('utf8').trim().split('\n')
    this.known = lines.map((line) => JSON.parse(line) as KnownTransaction)
  }

  /** What was answered to the same question in other spelling or by another transport. */
  findSibling(question: Question): JsonValue | undefined {
    return this.answered.get(keyOf(question))
  }

  /** The transaction that received or sent a message: its hash, and how the original prints it, if it was recorded. */
  findLocated(question: Question): { readonly hash: string; readonly printed: JsonObject | undefined } | undefined {
    const { source, destination, created_lt } = question.params
    const [sender, receiver] = [readAddress(source), readAddress(destination)]
    if (sender === undefined || receiver === undefined) return undefined
    const [from, to] = [rawOf(sender), rawOf(receiver)]
    const isIt = (message: KnownMessage): boolean =>
      message.src === from && message.dest === to && message.created_lt === `${created_lt}`
    const bySource = question.endpoint === 'tryLocateSourceTx'
    const found = this.known.find(({ in_msg, out_msgs }) =>
      bySource ? out_msgs.some(isIt) : in_msg != null && isIt(in_msg),
    )
    if (found === undefined) return undefined
    const hash = Buffer.from(found.hash, 'hex').toString('base64')
    return { hash, printed: this.transactions.get(hash) }
  }
}

const readTransports: readonly Transport[] = ['get', 'post', 'rpc']

const toAsked = (golden: GoldenCase): AskedCase => {
  const { method, path, query, body, rawBody } = golden.request
  if (golden.server === 'python-2.0') {
    const text = rawBody ?? (body === undefined ? undefined : stringifyJson(body))
    return { ...golden, question: readQuestion(method, path, { query, body: text }), call: undefined }
  }
  const call = findNodeClientCall(golden)
  if (typeof call === 'string') return { ...golden, question: questionOf('rpc', golden.endpoint, {}), call }
  const transports = readTransports.filter((transport) => transport !== 'get' || !postOnly.has(call.endpoint))
  const transport = transports[Number(golden.name.slice(-4)) % transports.length]!
  return { ...golden, question: questionOf(transport, call.endpoint, call.params), call }
}

/** 2.0 takes a number of a method for a name, unless it comes by JSON-RPC as a number. */
export const isNameByMistake = ({ endpoint, transport, params }: Question): boolean => {
  const { method } = params
  if (endpoint !== 'runGetMethod') return false
  return typeof method === 'string' ? numberPattern.test(method) : typeof method === 'number' && transport === 'post'
}

const numberPattern = /^(-?[0-9]+|0x[0-9a-f]+)$/i

/** The number of a method, whichever way it is called. */
const methodNumber = (method: JsonValue): number =>
  typeof method === 'string' && !numberPattern.test(method) ? getMethodId(method) : Number(method)

/** Equal for questions that mean the same. */
const keyOf = ({ endpoint = '', params, path }: Question): string => {
  if (path === '/jsonRPC' && endpoint === '') return ''
  const rules = contractParams[endpoint] ?? {}
  const entries = Object.entries(params).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === '' || name === 'archival') return []
    const kind = rules[name]?.kind
    const address = kind === 'address' || kind === 'accountOrHash' ? readAddress(value) : undefined
    if (address !== undefined) return [[name, kind === 'accountOrHash' ? address.hex : rawOf(address)]]
    if (kind === 'method') return [[name, `${methodNumber(value)}`]]
    if (kind === 'hash' || kind === 'accountOrHash') return [[name, readHash(lenient(value)) ?? `${value}`]]
    return [[name === 'param' ? 'config_id' : name, typeof value === 'object' ? stringifyJson(value) : `${value}`]]
  })
  return stringifyJson([endpoint, entries.toSorted(([a], [b]) => (a < b ? -1 : 1))])
}

/** A plus sign in a query comes as a blank where it was not escaped. */
const lenient = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' ? value.replaceAll(' ', '+') : value
