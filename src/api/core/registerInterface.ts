import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findTracer } from '../../observe/Tracer.ts'
import type { CodedError } from '../../primitives/errors.ts'
import { admitRequest, findAdmission, mayShareResponse } from './AccessControl.ts'
import { type Call, toAnswered } from './Call.ts'
import { callEndpoint } from './callEndpoint.ts'
import { type Endpoint, hasBody, methodsOf, pathOf, rpcMethodsOf } from './Endpoint.ts'
import type { ApiReply, ApiRequest } from './Exchange.ts'
import { OverloadedError, TokenRequiredError, UnsupportedMediaTypeError, UrlTooLongError } from './errors.ts'
import { Deadline, toCall } from './HttpCall.ts'
import { corsHeaders, findHeader, preflightHeaders } from './headers.ts'
import { findRouteError, fromFastifyError, isOfUnservedMethod } from './httpErrors.ts'
import type { JsonRpc } from './Interface.ts'
import type { JsonObject } from './json/parseJson.ts'
import { encodeJson, listAsJson } from './json/stringifyJson.ts'
import { answerJsonRpc, type RpcRequest, readRpcRequests } from './jsonRpc.ts'
import type { HttpLimits } from './limits.ts'
import { findForeignOrigin, findRemoteCaller } from './localAccess.ts'
import type { Mount, Service } from './Mount.ts'
import { describeAsJson } from './openApi.ts'
import { findRaw, parseBody, parseBodyArguments, type QueryValues } from './parseArguments.ts'
import { failedReply, replyTo, restRendering, rpcRendering, wrap } from './reply.ts'
import { isLongRequest, LongAnswerError, type SlowLane, type SlowRequest } from './SlowLane.ts'
import { send, sendInTurn } from './sendReply.ts'

const jsonType = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** The reason to refuse a request before its body is read. */
export const findRefusal = (
  { definition, token, allowedHosts }: Mount,
  limits: HttpLimits,
  request: IncomingMessage,
): CodedError | undefined => {
  const { url = '', socket } = request
  const { maxUrlBytes = limits.maxUrlBytes } = definition
  if (url.length > maxUrlBytes) return new UrlTooLongError(maxUrlBytes)
  if (definition.body.mediaType === 'json') {
    const length = findHeader(request, 'content-length')
    const hasBody = findHeader(request, 'transfer-encoding') !== undefined || (length !== undefined && length !== '0')
    if (hasBody && !jsonType.test(findHeader(request, 'content-type') ?? '')) return new UnsupportedMediaTypeError()
  }
  if (!definition.localOnly) return undefined
  const { headers } = request
  // No page of another origin knows the token, so there is nothing else to look at.
  if (token !== undefined) return hasToken(headers.authorization, token) ? undefined : new TokenRequiredError()
  return findRemoteCaller(socket.remoteAddress, headers, allowedHosts) ?? findForeignOrigin(headers)
}

/** In a time that tells nothing of the token. */
const hasToken = (header: string | undefined, token: string): boolean => {
  const [, given] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? []
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()

/** Serves an interface in a Fastify scope of its own, so that all its responses and errors have the format of the interface. */
export const registerInterface = (scope: FastifyInstance, service: Service): void => {
  const { endpoints, jsonRpc, localOnly, prefix, maxBodyBytes = service.limits.maxBodyBytes } = service.mount.definition
  const gate = localOnly ? undefined : service.accessControl
  const free = new Set([openApiPath, ...endpoints.filter(({ isFree }) => isFree).map((each) => `/${pathOf(each)}`)])
  scope.addHook('onRequest', ({ raw, routeOptions: { url = '' } }, reply, done) => {
    if (!localOnly) reply.headers(corsHeaders)
    const refusal = findRefusal(service.mount, service.limits, raw)
    // Bodies are raw bytes from here on; Fastify would refuse unknown content types.
    delete raw.headers['content-type']
    const isFree = raw.method === 'OPTIONS' || free.has(url.slice(prefix.length))
    if (gate === undefined || isFree || refusal !== undefined) done(refusal)
    else admitRequest(gate, prefix, raw, reply, done)
  })
  for (const endpoint of endpoints) {
    scope.route({
      method: [...methodsOf(endpoint)],
      url: `/${pathOf(endpoint).replace(/\{(\w+)\}/g, ':$1')}`,
      bodyLimit: maxBodyBytes,
      handler: (request, reply) => handleEndpoint(service, endpoint, request, reply),
    })
  }
  if (jsonRpc !== undefined) {
    const byName = new Map(rpcMethodsOf(endpoints).map((endpoint) => [endpoint.name, endpoint]))
    scope.post(
      jsonRpc.path,
      (request, reply) =>
        answerCached(service, jsonRpc, request, reply) ?? handleRpc(service, jsonRpc, byName, request, reply),
    )
  }
  let description: string | undefined
  scope.get(openApiPath, (request, reply) => {
    description ??= describeAsJson(service.mount.definition)
    const call = toCall(request, false, undefined, undefined, undefined)
    return send(service, call, { status: 200, text: description }, reply)
  })
  if (!localOnly) scope.options('/*', (_request, reply) => reply.code(204).headers(preflightHeaders).send())
  const methods = listMethods(service.mount)
  const patterns = listPatterns(service.mount)
  const findMethods = (path: string): readonly string[] | undefined =>
    methods.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.methods
  const refuseRoute = (request: FastifyRequest, reply: FastifyReply): ApiReply => {
    const error = findRouteError(findMethods(pathWithin(service.mount, request)), request.method, reply)
    return handleFailure(service, error, request, reply)
  }
  scope.setNotFoundHandler(refuseRoute)
  scope.setErrorHandler((error, request, reply) => {
    if (isOfUnservedMethod(error)) return refuseRoute(request, reply)
    const known = fromFastifyError(error, { ...service.limits, maxBodyBytes })
    return handleFailure(service, known, request, reply)
  })
}

/** Answers a request to an endpoint. */
export const handleEndpoint = async (
  service: Service,
  endpoint: Endpoint,
  request: ApiRequest,
  reply: ApiReply,
): Promise<ApiReply> =>
  answerCached(service, undefined, request, reply) ??
  admitWork(service, endpoint, isLong(service, endpoint, request), request, reply, () =>
    handleRest(service, endpoint, request, reply),
  )

/** The response to a repeated request, if it is cached. */
const answerCached = (
  service: Service,
  rpc: JsonRpc | undefined,
  request: ApiRequest,
  reply: ApiReply,
): ApiReply | Promise<ApiReply> | undefined => {
  const { responseCache, definition } = service.mount
  const known = responseCache === undefined ? undefined : service.cachedRequests.find(request)
  const kept = known && responseCache?.find(known.cacheKey)
  if (known === undefined || kept === undefined) return undefined
  if (!mayShareResponse(findAdmission(request.raw)?.pool, known.cacheKey.lifetime)) return undefined
  const call = toCall(request, rpc !== undefined, known.endpoint.name, undefined, undefined)
  call.trace.isCached = true
  const rendering =
    rpc === undefined ? restRendering(definition, call, known.endpoint) : rpcRendering(rpc, call, known.id)
  return sendInTurn(service, call, wrap(rendering, kept), reply)
}

/** Does work while there is not too much of its kind already. Too much is refused at once: under a flood, what a refusal costs counts. */
const admitWork = async (
  service: Service,
  endpoint: Endpoint | undefined,
  isSlow: boolean,
  request: ApiRequest,
  reply: ApiReply,
  run: () => Promise<ApiReply>,
): Promise<ApiReply> => {
  const { mount, shedders, scheduler } = service
  const work = endpoint && mount.workOf?.(endpoint, isSlow)
  if (shedders === undefined || work === undefined) return run()
  scheduler.noteRequest()
  const entered = shedders[work].tryEnter()
  if (entered instanceof OverloadedError) {
    reply.header('retry-after', entered.retryAfterSeconds)
    return handleFailure(service, entered, request, reply)
  }
  const turn = scheduler.begin()
  return (turn === undefined ? run() : turn.then(run)).finally(entered)
}

const isLong = ({ mount }: Service, endpoint: Endpoint, request: ApiRequest): boolean =>
  mount.slowLane !== undefined && isLongRequest(endpoint, request.query as QueryValues, bytesOf(request))

const handleRest = async (
  service: Service,
  endpoint: Endpoint,
  request: ApiRequest,
  reply: ApiReply,
  { slowLane }: Pick<Mount, 'slowLane'> = service.mount,
  begun?: Deadline,
): Promise<ApiReply> => {
  const { mount, limits, logger } = service
  const { definition } = mount
  if (endpoint.path !== undefined) takePathParams(request)
  if (slowLane !== undefined && isLongRequest(endpoint, request.query as QueryValues, bytesOf(request))) {
    const deadline = openDeadline(service, endpoint, request, reply, () => peekArguments(service, endpoint, request))
    return replySlowly(service, slowLane, endpoint, request, reply, deadline)
  }
  const body = hasBody(request.method)
    ? parseBodyArguments(bytesOf(request), definition.body.mayBeEmpty, limits)
    : undefined
  const deadline = begun ?? openDeadline(service, endpoint, request, reply, () => body)
  const call = toCall(request, false, endpoint.name, body, deadline, slowLane !== undefined && !endpoint.needsNode)
  let isFoundLong = false
  const answer = await replyTo(definition, call, restRendering(definition, call, endpoint), logger, () =>
    deadline
      .race(() => callEndpoint(mount, endpoint, call, { query: call.query, body }))
      .catch((error: unknown) => {
        if (!(error instanceof LongAnswerError)) throw error
        isFoundLong = true
        return ''
      }),
  )
  if (isFoundLong) return replySlowly(service, slowLane!, endpoint, request, reply, deadline)
  deadline.end()
  if (answer.status !== 200) return sendInTurn(service, call, answer, reply)
  if (call.trace.isCached) service.cachedRequests.remember(request, endpoint, call)
  return sendInTurn(service, call, { ...answer, status: endpoint.status ?? 200 }, reply)
}

/** Parameters in the path are arguments like those of the query. */
const takePathParams = ({ query, params }: ApiRequest): void => {
  for (const [name, value] of Object.entries(params as Record<string, string>)) {
    ;(query as Record<string, readonly string[]>)[name] = [value]
  }
}

/** Answers a long request by the slow lane, or here while there is none. */
const replySlowly = async (
  service: Service,
  slowLane: SlowLane,
  endpoint: Endpoint,
  request: ApiRequest,
  reply: ApiReply,
  deadline: Deadline,
): Promise<ApiReply> => {
  const { mount, limits, logger } = service
  const { definition } = mount
  const call = toCall(request, false, endpoint.name, undefined, deadline)
  // It notes how far the index is, which the headers of the answer say.
  mount.context(call)
  const { query, headers, remoteAddress, requestId } = call
  const slow: SlowRequest = {
    prefix: definition.prefix,
    endpoint: endpoint.name,
    transport: request.method === 'POST' ? 'post' : 'get',
    query,
    body: bytesOf(request),
    headers,
    remoteAddress,
    requestId,
    limits: { maxDepth: limits.maxDepth, maxValues: limits.maxValues, maxDigits: limits.maxDigits },
    traceparent: findTracer()?.current()?.traceparent,
  }
  const made = await deadline
    .race(() => slowLane.answer(slow, (leave) => deadline.onEnd(leave)))
    // The time is up, or the lane itself failed.
    .catch((error: unknown) =>
      replyTo(definition, call, restRendering(definition, call, endpoint), logger, () => Promise.reject(error)),
    )
  if ('end' in made) {
    return handleRest(service, endpoint, request, reply, { slowLane: undefined }, deadline).finally(() => {
      deadline.end()
      made.end()
    })
  }
  deadline.end()
  if ('text' in made) return sendInTurn(service, call, made, reply)
  call.trace.headers = made.headers
  const { status, json } = made
  if (json instanceof Uint8Array) return sendInTurn(service, call, { status, text: json }, reply)
  reply.header('content-length', made.bytes)
  return send(service, call, { status, text: json }, reply)
}

const handleRpc = async (
  service: Service,
  rpc: JsonRpc,
  endpoints: ReadonlyMap<string, Endpoint>,
  request: ApiRequest,
  reply: ApiReply,
): Promise<ApiReply> => {
  const read = readRpcRequests(parseBody(bytesOf(request), service.limits), rpc.maxBatch, endpoints)
  const first = read.requests[0]?.endpoint
  return admitWork(service, first, false, request, reply, () => answerRpc(service, rpc, read, request, reply))
}

const answerRpc = async (
  service: Service,
  rpc: JsonRpc,
  { isBatch, requests }: ReturnType<typeof readRpcRequests>,
  request: ApiRequest,
  reply: ApiReply,
): Promise<ApiReply> => {
  const { mount, limits, logger } = service
  // One deadline for the whole batch: the longest of its calls.
  const timeouts = requests.map(({ endpoint }) => endpoint?.timeoutMs ?? limits.callTimeoutMs)
  const deadline = startDeadline(Math.max(...timeouts), service, reply)
  let call: Call | undefined
  const toOwnCall = ({ endpoint, body }: RpcRequest): Call => {
    call = toCall(request, true, endpoint?.name, body, deadline)
    return call
  }
  const replies = await answerJsonRpc({ mount, rpc, toCall: toOwnCall, deadline, logger }, requests)
  deadline.end()
  const [first] = replies
  if (first === undefined) {
    if (call !== undefined) service.onAnswered?.(toAnswered(mount.definition.prefix, call, 204))
    reply.code(204)
    reply.send()
    return reply
  }
  const answer = isBatch ? { status: 200, text: encodeJson(listAsJson(replies.map(({ text }) => text))) } : first
  const endpoint = requests[0]?.endpoint
  if (!isBatch && call !== undefined && endpoint !== undefined && answer.status === 200 && call.trace.isCached) {
    service.cachedRequests.remember(request, endpoint, call)
  }
  return sendInTurn(service, call ?? toCall(request, true, undefined, undefined, undefined), answer, reply)
}

/** The caller may allow less time than the service does. */
const openDeadline = (
  service: Service,
  endpoint: Endpoint,
  { headers, query }: ApiRequest,
  reply: ApiReply,
  readBody: () => JsonObject | undefined,
): Deadline => {
  const { timeoutMs = service.limits.callTimeoutMs, callerTimeout, params } = endpoint
  if (callerTimeout === undefined) return startDeadline(timeoutMs, service, reply)
  const { param } = callerTimeout
  const given = findRaw(param, params[param]!, { query: query as QueryValues, body: readBody() })
  return startDeadline(Math.min(timeoutMs, callerTimeout.readMs(headers, given) ?? timeoutMs), service, reply)
}

/** The arguments in a body that the slow lane is to parse, if the time limit may be among them. */
const peekArguments = (
  { mount, limits }: Service,
  { callerTimeout }: Endpoint,
  request: ApiRequest,
): JsonObject | undefined => {
  const bytes = bytesOf(request)
  if (callerTimeout === undefined || bytes === undefined) return undefined
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(`"${callerTimeout.param}"`)) return undefined
  try {
    return parseBodyArguments(bytes, mount.definition.body.mayBeEmpty, limits)
  } catch {
    // The slow lane says what is wrong with it.
    return undefined
  }
}

/** While a response is computed the socket is idle; lift the idle timeout if the call may take longer. */
const startDeadline = (timeoutMs: number, { limits }: Service, { raw }: ApiReply): Deadline => {
  if (timeoutMs >= limits.sendTimeoutMs) raw.setTimeout(0)
  return new Deadline(timeoutMs, raw)
}

/** Answers an error outside of a call. */
export const handleFailure = (service: Service, error: unknown, request: ApiRequest, reply: ApiReply): ApiReply => {
  const { mount, logger } = service
  const { definition } = mount
  const { jsonRpc } = definition
  const isRpc = jsonRpc !== undefined && pathWithin(mount, request) === jsonRpc.path
  const call = toCall(request, isRpc, undefined, undefined, undefined)
  const rest = restRendering(definition, call)
  // No call was made, so the HTTP status is that of the error even for JSON-RPC.
  const rendering = isRpc ? { ...rpcRendering(jsonRpc, call, undefined), statusOf: rest.statusOf } : rest
  return send(service, call, failedReply(definition, call, rendering, logger, error), reply)
}

const openApiPath = '/openapi.json'

const bytesOf = ({ body }: ApiRequest): Uint8Array | undefined => (body instanceof Uint8Array ? body : undefined)

/** The path below the prefix, without a trailing slash. */
const pathWithin = ({ definition }: Mount, { url }: ApiRequest): string =>
  url.slice(definition.prefix.length).replace(/\?.*$/, '').replace(/\/$/, '')

const listMethods = ({ definition }: Mount): ReadonlyMap<string, readonly string[]> => {
  const methods = new Map<string, readonly string[]>()
  for (const endpoint of definition.endpoints) {
    const path = `/${pathOf(endpoint)}`
    methods.set(path, [...(methods.get(path) ?? []), ...methodsOf(endpoint)])
  }
  if (definition.jsonRpc !== undefined) methods.set(definition.jsonRpc.path, ['POST'])
  methods.set(openApiPath, ['GET'])
  return methods
}

/** Methods of paths with parameters; several endpoints may share a path. */
const listPatterns = ({ definition }: Mount): { readonly pattern: RegExp; readonly methods: readonly string[] }[] => {
  const paths = new Map<string, string[]>()
  for (const endpoint of definition.endpoints) {
    const path = pathOf(endpoint)
    if (path.includes('{')) paths.set(path, [...(paths.get(path) ?? []), ...methodsOf(endpoint)])
  }
  return [...paths].map(([path, methods]) => ({
    pattern: new RegExp(`^/${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }))
}
