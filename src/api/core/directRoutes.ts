import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { findTracer, keepSpan } from '../../observe/Tracer.ts'
import { type Admission, findAdmission, noteAdmission } from './AccessControl.ts'
import { type Endpoint, methodsOf, pathOf } from './Endpoint.ts'
import { DirectReply, DirectRequest } from './Exchange.ts'
import { corsHeaders, findHeader, requestIdHeader, requestIdOf } from './headers.ts'
import { fromFastifyError } from './httpErrors.ts'
import type { Service } from './Mount.ts'
import { findRefusal, handleEndpoint, handleFailure } from './registerInterface.ts'

/** An endpoint at a path without parameters. */
type DirectRoute = {
  readonly service: Service
  readonly endpoint: Endpoint
  readonly methods: ReadonlySet<string>
  readonly isFree: boolean
  readonly maxBodyBytes: number
}

/** Serves a request, or returns false if the router has to. */
export type ServeDirectly = (request: IncomingMessage, response: ServerResponse, handOn: RequestListener) => boolean

/**
 * Serves the endpoints of interfaces without the router, whose request and reply cost as much as the rest of a short answer. Only requests
 * as nearly all are: a GET or POST at the exact path, nothing to refuse, a body of known length. The router has the same endpoints for all
 * others.
 */
export const createDirectRoutes = (services: readonly Service[]): ServeDirectly => {
  const routes = new Map(services.flatMap(listRoutes))
  const tracer = findTracer()
  return (request, response, handOn) => {
    const { url = '', method = '' } = request
    const at = url.indexOf('?')
    const route = routes.get(at < 0 ? url : url.slice(0, at))
    if (route === undefined || !route.methods.has(method) || url.includes('#')) return false
    const { service, endpoint, isFree } = route
    const bodyBytes = method === 'GET' ? 0 : findBodyBytes(request)
    if (bodyBytes === undefined || bodyBytes > route.maxBodyBytes) return false
    if (findRefusal(service.mount, service.limits, request) !== undefined) return false
    const { definition } = service.mount
    const gate = definition.localOnly || isFree ? undefined : service.accessControl
    const enter = (admission: Admission | undefined): boolean => {
      if (admission !== undefined) noteAdmission(request, admission)
      if (admission?.refusal !== undefined) return false
      const id = requestIdOf(request)
      const query = at < 0 ? '' : url.slice(at + 1)
      const reply = openReply(service, id, response, admission)
      const answer = (body?: Uint8Array): void => {
        const own = new DirectRequest(request, id, query, body)
        handleEndpoint(service, endpoint, own, reply).catch((error: unknown) => fail(route, own, reply, error))
      }
      if (bodyBytes === 0) answer()
      else {
        const onError = (error: unknown): void => fail(route, new DirectRequest(request, id, query), reply, error)
        readBody(request, keepSpan(tracer, answer), onError)
      }
      return true
    }
    const admission = findAdmission(request) ?? gate?.admit(request, definition.prefix)
    if (!(admission instanceof Promise)) return enter(admission)
    void admission.then((late) => enter(late) || handOn(request, response))
    return true
  }
}

const listRoutes = (service: Service): [path: string, route: DirectRoute][] => {
  const { endpoints, prefix, maxBodyBytes = service.limits.maxBodyBytes } = service.mount.definition
  const paths = new Map<string, number>()
  for (const endpoint of endpoints) paths.set(pathOf(endpoint), (paths.get(pathOf(endpoint)) ?? 0) + 1)
  return endpoints
    .filter((endpoint) => !pathOf(endpoint).includes('{') && paths.get(pathOf(endpoint)) === 1)
    .map((endpoint) => {
      const methods = new Set(methodsOf(endpoint).filter((method) => method === 'GET' || method === 'POST'))
      return [
        `${prefix}/${pathOf(endpoint)}`,
        { service, endpoint, methods, isFree: endpoint.isFree === true, maxBodyBytes },
      ]
    })
}

/** The length of a body; `undefined` if it is not stated. */
const findBodyBytes = (request: IncomingMessage): number | undefined => {
  if (findHeader(request, 'transfer-encoding') !== undefined) return undefined
  const length = findHeader(request, 'content-length') ?? '0'
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

/** The parser ends a body at its stated length. */
const readBody = (
  request: IncomingMessage,
  done: (body: Uint8Array) => void,
  onError: (error: unknown) => void,
): void => {
  const chunks: Buffer[] = []
  request.once('error', onError)
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    // Later errors mean that the caller has left, of which the deadline of the call knows.
    request.off('error', onError)
    done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
  })
}

const noHeaders: readonly string[] = []
const flatCorsHeaders: readonly string[] = Object.entries(corsHeaders).flat()

const openReply = (
  { mount, isClosing }: Service,
  id: string,
  response: ServerResponse,
  admission: Admission | undefined,
): DirectReply => {
  const reply = new DirectReply(response, mount.definition.localOnly ? noHeaders : flatCorsHeaders)
  reply.header(requestIdHeader, id)
  if (isClosing()) reply.header('connection', 'close')
  const headers = admission?.headers ?? []
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at]!, headers[at + 1]!)
  return reply
}

/** As the error handler of the router. */
const fail = (
  { service, maxBodyBytes }: DirectRoute,
  request: DirectRequest,
  reply: DirectReply,
  error: unknown,
): void => {
  const known = fromFastifyError(error, { ...service.limits, maxBodyBytes })
  try {
    handleFailure(service, known, request, reply)
  } catch {
    reply.raw.destroy()
  }
}
