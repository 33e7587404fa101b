import type { Logger } from '../../observe/Logger.ts'
import type { Call } from './Call.ts'
import { callEndpoint } from './callEndpoint.ts'
import type { Endpoint } from './Endpoint.ts'
import { BatchTooLongError, InvalidParamsError, InvalidRequestError, UnknownMethodError } from './errors.ts'
import type { Deadline } from './HttpCall.ts'
import type { JsonRpc } from './Interface.ts'
import { findMember, isJsonObject, type JsonObject, type JsonValue } from './json/parseJson.ts'
import type { Mount } from './Mount.ts'
import { type Reply, replyTo, rpcRendering } from './reply.ts'

/** One call in a JSON-RPC request; nothing has been checked yet. */
export type RpcRequest = {
  readonly body: JsonValue
  /** What it is answered with: an id that cannot be one counts as none. */
  readonly id: JsonValue | undefined
  /** It is a request, and has no id on purpose. */
  readonly isNotification: boolean
  readonly endpoint: Endpoint | undefined
}

/** The calls in a body, and whether they came as a batch, which is then how they are answered. */
export const readRpcRequests = (
  body: JsonValue,
  maxBatch: number,
  endpoints: ReadonlyMap<string, Endpoint>,
): { readonly isBatch: boolean; readonly requests: readonly RpcRequest[] } => {
  if (!Array.isArray(body)) return { isBatch: false, requests: [toRequest(body, endpoints)] }
  const items: readonly JsonValue[] = body
  if (maxBatch === 0) throw new InvalidRequestError('A request must be one JSON object, not a list of them.')
  if (items.length === 0) throw new InvalidRequestError('A batch must contain at least one call.')
  if (items.length > maxBatch) throw new BatchTooLongError(maxBatch)
  return { isBatch: true, requests: items.map((item) => toRequest(item, endpoints)) }
}

const toRequest = (body: JsonValue, endpoints: ReadonlyMap<string, Endpoint>): RpcRequest => {
  if (!isJsonObject(body)) return { body, id: undefined, isNotification: false, endpoint: undefined }
  const id = findMember(body, 'id')
  const method = findMember(body, 'method')
  return {
    body,
    id: isId(id) ? id : undefined,
    isNotification: id === undefined && typeof method === 'string',
    endpoint: typeof method === 'string' ? endpoints.get(method) : undefined,
  }
}

const isId = (id: JsonValue | undefined): boolean => typeof id !== 'object' || id === null

/** The endpoint and the arguments of a call; throws if it is malformed. */
const resolveRpcRequest = ({
  body,
  endpoint,
}: RpcRequest): { readonly endpoint: Endpoint; readonly args: JsonObject } => {
  if (!isJsonObject(body)) throw new InvalidRequestError('A request must be a JSON object.')
  if (typeof findMember(body, 'method') !== 'string') {
    throw new InvalidRequestError('The member "method" must be the name of a method.')
  }
  if (!isId(findMember(body, 'id'))) throw new InvalidRequestError('The member "id" must not be a list or an object.')
  if (endpoint === undefined) throw new UnknownMethodError()
  return { endpoint, args: readParams(findMember(body, 'params')) }
}

const readParams = (params: JsonValue | undefined): JsonObject => {
  if (params === undefined || params === null || (Array.isArray(params) && params.length === 0)) return {}
  if (isJsonObject(params)) return params
  throw new InvalidParamsError([
    { name: 'params', keyword: 'type', message: 'params must contain an object', value: params },
  ])
}

/** The context of the calls in one JSON-RPC request. */
export type RpcExchange = {
  readonly mount: Mount
  readonly rpc: JsonRpc
  readonly toCall: (request: RpcRequest) => Call
  readonly deadline: Deadline
  readonly logger: Logger
}

/** Runs calls in order, since a call of a batch may depend on an earlier one. Notifications get no response. */
export const answerJsonRpc = async (exchange: RpcExchange, requests: readonly RpcRequest[]): Promise<Reply[]> => {
  const replies: Reply[] = []
  for (const request of requests) {
    const reply = await answerOne(exchange, request)
    if (!exchange.rpc.notifications || !request.isNotification) replies.push(reply)
  }
  return replies
}

const answerOne = ({ mount, rpc, toCall, deadline, logger }: RpcExchange, request: RpcRequest): Promise<Reply> => {
  const call = toCall(request)
  return replyTo(mount.definition, call, rpcRendering(rpc, call, request.id), logger, async () => {
    const { endpoint, args } = resolveRpcRequest(request)
    return deadline.race(() => callEndpoint(mount, endpoint, call, { query: {}, body: args }))
  })
}
