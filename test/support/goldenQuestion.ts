import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/core/json/parseJson.ts'
import { stringifyJson } from '../../src/api/core/json/stringifyJson.ts'
import { parseAnswer } from './goldenCases.ts'

export type Transport = 'get' | 'post' | 'rpc'

/** A question to a v2 interface. */
export type Question = {
  readonly transport: Transport
  /** The endpoint, where one is named. */
  readonly endpoint: string | undefined
  readonly params: JsonObject
  /** The HTTP request. */
  readonly method: string
  /** Below the base path, as `/getShards`. */
  readonly path: string
  readonly query: JsonObject
  readonly body: string | undefined
  /** What the caller wants to see again. */
  readonly extra: JsonValue | undefined
  /** What a JSON-RPC request is to be answered with. */
  readonly id: JsonValue | undefined
}

/** An answer to it. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonValue
}

/** A question by the transport that is wanted. */
export const questionOf = (transport: Transport, endpoint: string, params: JsonObject): Question => {
  const common = { transport, endpoint, params, query: {}, id: undefined, extra: params['@extra'] }
  if (transport === 'get') return { ...common, method: 'GET', path: `/${endpoint}`, query: params, body: undefined }
  if (transport === 'post') return { ...common, method: 'POST', path: `/${endpoint}`, body: stringifyJson(params) }
  const request = { jsonrpc: '2.0', id: 'q', method: endpoint, params }
  return { ...common, method: 'POST', path: '/jsonRPC', body: stringifyJson(request), id: 'q' }
}

/** An HTTP request as a question: the endpoint and the parameters are read from it, as far as it has any. */
export const readQuestion = (
  method: string,
  path: string,
  sent: { readonly query: JsonObject; readonly body: string | undefined },
): Question => {
  const body = parseOrUndefined(sent.body ?? '')
  const extra = sent.query['@extra'] ?? (isJsonObject(body) ? body['@extra'] : undefined)
  const request = { method, path, query: sent.query, body: sent.body, extra }
  if (method === 'GET') {
    return { ...request, transport: 'get', endpoint: path.slice(1), params: sent.query, id: undefined }
  }
  if (path !== '/jsonRPC') {
    const params = isJsonObject(body) ? body : {}
    return { ...request, transport: 'post', endpoint: path.slice(1), params, id: undefined }
  }
  const { method: name, params, id } = isJsonObject(body) ? body : {}
  return {
    ...request,
    transport: 'rpc',
    endpoint: typeof name === 'string' ? name : undefined,
    params: isJsonObject(params) ? params : {},
    id,
  }
}

const parseOrUndefined = (text: string): JsonValue | undefined => {
  try {
    return parseAnswer(text)
  } catch {
    return undefined
  }
}

/** Puts a question to the interface below `baseUrl`. */
export const ask = async (baseUrl: string, { method, path, query, body }: Question): Promise<Answer> => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (item) => `${encodeURIComponent(name)}=${encodeURIComponent(`${item}`)}`,
    ),
  )
  const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`
  const response = await fetch(`${baseUrl}${path}${search}`, {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: parseOrUndefined(text) ?? text }
}

/** Puts many questions, a few at a time, and gives the answers in the order of the questions. */
export const askAll = async (baseUrl: string, questions: readonly Question[], concurrency = 8): Promise<Answer[]> => {
  const answers: Answer[] = new Array(questions.length)
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < questions.length; at = next++) answers[at] = await ask(baseUrl, questions[at]!)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return answers
}
