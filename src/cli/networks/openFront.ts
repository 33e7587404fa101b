import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Server as NetServer, Socket } from 'node:net'
import { type ParserError, refuseConnection, refuseMethod } from '../../api/core/httpErrors.ts'
import { defaultLimits } from '../../api/core/limits.ts'
import { findUnknownHost } from '../../api/core/localAccess.ts'
import { upgradingRequest } from '../../api/core/StreamRoute.ts'
import type { HostPort } from '../../config/Kind.ts'
import { type Destination, Forwarder } from './forward.ts'
import { joinMetricTexts } from './joinMetricTexts.ts'
import type { NetworkProcess } from './NetworkProcess.ts'

/** A network behind the front. */
export type ServedNetwork = {
  readonly name: string
  readonly process: Pick<NetworkProcess, 'port' | 'reason'>
  /** Host names at which it is at the root. */
  readonly hosts: readonly string[]
}

export type FrontOptions = {
  /** The first one is at the root. */
  readonly networks: readonly ServedNetwork[]
  readonly token: string
  /** Listens on the public port already. */
  readonly socket: NetServer
  /** Address for the operator; without it, there is none. */
  readonly operations: HostPort | undefined
  readonly allowedHosts: readonly string[]
}

export type OpenedFront = {
  /** URL of the operations listener. */
  readonly operations: string | undefined
  close(): Promise<void>
}

/** As much as a network takes: the longest URL and headers. */
const MAX_HEADER_BYTES = (1 << 18) + defaultLimits.maxHeaderBytes
const ASK_MS = 5000

/** Listens on the public port, and forwards each request to the network that its host name or path names. */
export const openFront = async (options: FrontOptions): Promise<OpenedFront> => {
  const { token, socket, operations: address } = options
  const forwarder = new Forwarder(token)
  const front = createFront(options, forwarder, false)
  await new Promise<void>((done) => front.listen(socket, done))
  const operator = address && createFront(options, forwarder, true)
  if (operator !== undefined) {
    await new Promise<void>((done, fail) => operator.once('error', fail).listen(address!.port, address!.host, done))
  }
  const bound = operator?.address()
  return {
    operations: bound && typeof bound === 'object' ? `http://${address!.host}:${bound.port}` : undefined,
    close: async () => {
      await Promise.all([front, operator].map((server) => server && closeServer(server)))
      forwarder.close()
    },
  }
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })

const createFront = (options: FrontOptions, forwarder: Forwarder, isOperator: boolean): Server => {
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = defaultLimits
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Each network knows at which paths it upgrades.
      IncomingMessage: upgradingRequest({ serves: () => true }),
    },
    (request, response) => {
      answer(options, forwarder, isOperator, request, response).catch(() => response.destroy())
    },
  )
  server.on('connect', (_request, socket: Socket) => refuseMethod(socket))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseConnection(error as ParserError, socket as Socket),
  )
  server.on('upgrade', (request, socket: Socket, head) => {
    const { network, base, url } = findNetwork(options.networks, request)
    const { port } = network.process
    try {
      if (port === undefined || isOperator) socket.destroy()
      else forwarder.upgrade(request, socket, head, { port, base, url, isOperator })
    } catch {
      // A header that cannot be sent on.
      socket.destroy()
    }
  })
  return server
}

const answer = async (
  options: FrontOptions,
  forwarder: Forwarder,
  isOperator: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { network, base, url } = findNetwork(options.networks, request)
  const path = url.replace(/\?.*$/s, '')
  if (base === '' && network === options.networks[0]) {
    // They are about all networks.
    if (path === '/healthcheck') return sendJson(response, 200, { alive: true })
    if (path === '/ready') return answerReady(options, forwarder, request, response)
  }
  const refusal = isOperator && path !== '/ready' ? findUnknownHost(request.headers, options.allowedHosts) : undefined
  if (refusal !== undefined) return sendJson(response, 403, { ok: false, error: refusal.message, code: 403 })
  if (base === '' && path === '/metrics' && network === options.networks[0]) {
    return answerMetrics(options, forwarder, isOperator, request, response)
  }
  const { port } = network.process
  if (port === undefined) return sendAway(response, network)
  const destination: Destination = { port, base, url, isOperator }
  forwarder.forward(request, response, destination, () => sendAway(response, network))
}

type Found = { readonly network: ServedNetwork; readonly base: string; readonly url: string }

/** By host name, else by the first part of the path, else the first network. */
const findNetwork = (networks: readonly ServedNetwork[], { url = '/', headers }: IncomingMessage): Found => {
  const host = headers.host?.replace(/:\d+$/, '').toLowerCase()
  const byHost = host === undefined ? undefined : networks.find(({ hosts }) => hosts.includes(host))
  if (byHost !== undefined) return { network: byHost, base: '', url }
  const [, name, rest] = /^\/([a-z][a-z0-9-]{0,15})(?=[/?]|$)(.*)$/s.exec(url) ?? []
  const byName = name === undefined ? undefined : networks.find((network) => network.name === name)
  if (byName === undefined) return { network: networks[0]!, base: '', url }
  return { network: byName, base: `/${name}`, url: rest!.startsWith('/') ? rest! : `/${rest}` }
}

/** The service is of use while one of its networks is. */
const answerReady = async (
  { networks }: FrontOptions,
  forwarder: Forwarder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const reports = await Promise.all(
    networks.map(async ({ name, process: { port, reason } }) => {
      const destination = port && { port, base: '', url: '/ready', isOperator: false }
      const report = destination ? parseReport((await forwarder.ask(destination, request, ASK_MS))?.body) : undefined
      return [name, report ?? { ready: false, reasons: [reason] }] as const
    }),
  )
  const isReady = reports.some(([, { ready }]) => ready)
  const reasons = reports.flatMap(([name, report]) => report.reasons.map((reason) => `${name}: ${reason}`))
  sendJson(response, isReady ? 200 : 503, { ready: isReady, reasons, networks: Object.fromEntries(reports) })
}

type Report = { readonly ready: boolean; readonly reasons: readonly string[] }

const parseReport = (body: string | undefined): Report | undefined => {
  try {
    const report = JSON.parse(body ?? '') as Partial<Report>
    if (typeof report.ready === 'boolean' && Array.isArray(report.reasons)) return report as Report
  } catch {
    // It is starting, and answers something else.
  }
  return undefined
}

/** The metrics of all networks that answer, told apart by a label. Each network decides who may read them. */
const answerMetrics = async (
  { networks }: FrontOptions,
  forwarder: Forwarder,
  isOperator: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const answers = await Promise.all(
    networks.map(async ({ name, process: { port } }) => {
      const destination = port && { port, base: '', url: '/metrics', isOperator }
      return { name, answer: destination ? await forwarder.ask(destination, request, ASK_MS) : undefined }
    }),
  )
  const refused = answers.find(({ answer: each }) => each?.status === 403)?.answer
  if (refused !== undefined) return sendText(response, refused.status, refused.type, refused.body)
  const texts = answers.flatMap(({ name, answer: each }) => (each?.status === 200 ? [{ name, text: each.body }] : []))
  const up = networks.map(({ name, process: { port } }) => ({ name, isUp: port !== undefined }))
  sendText(response, 200, 'text/plain; version=0.0.4; charset=utf-8', joinMetricTexts(texts, up))
}

const sendAway = (response: ServerResponse, { name, process: { reason } }: ServedNetwork): void => {
  response.setHeader('retry-after', '1')
  sendJson(response, 503, { ok: false, error: `The network ${name} is not served now. ${reason}`, code: 503 })
}

const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  sendText(response, status, 'application/json; charset=utf-8', `${JSON.stringify(value)}\n`)

const sendText = (response: ServerResponse, status: number, type: string, body: string): void => {
  const headers = { 'content-type': type, 'cache-control': 'no-store', 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, headers).end(response.req.method === 'HEAD' ? undefined : body)
}
