import type { Logger } from '../../observe/Logger.ts'
import type { Call } from './Call.ts'
import { callEndpoint } from './callEndpoint.ts'
import type { Deadline } from './Deadline.ts'
import type { JsonRpc } from './JsonRpc.ts'
import type { Mount } from './Mount.ts'
import { type Reply, replyTo, rpcRendering } from './reply.ts'
import { type RpcRequest, resolveRpcRequest } from './rpcRequests.ts'

/** Where the calls of a JSON-RPC request came from, and what bounds them all. */
export type RpcExchange = {
  readonly mount: Mount
  readonly rpc: JsonRpc
  readonly toCall: (request: RpcRequest) => Call
  readonly deadline: Deadline
  readonly logger: Logger
}

/** Answers calls one after the other, since those of a batch may stand on each other. Notifications get no answer. */
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
