import { parentPort, workerData } from 'node:worker_threads'
import { type Call, newTrace } from '../../api/core/Call.ts'
import { callEndpoint } from '../../api/core/callEndpoint.ts'
import { DeadlineExceededError } from '../../api/core/errors.ts'
import type { Interface } from '../../api/core/Interface.ts'
import type { JsonObject } from '../../api/core/json/parseJson.ts'
import type { Mount } from '../../api/core/Mount.ts'
import { parseBodyArguments } from '../../api/core/parseArguments.ts'
import { replyTo, restRendering } from '../../api/core/reply.ts'
import type { SlowAnswer, SlowRequest } from '../../api/core/SlowLane.ts'
import { createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { LogFields, Logger } from '../../observe/Logger.ts'
import { lowerPriority } from '../../observe/threads.ts'
import { connectDatabase } from '../../store/connect/connectDatabase.ts'
import { openV3 } from './openV3.ts'
import type { FromThread, SlowLaneStart, ToThread } from './slowLane.ts'

/** Connections for lists: as many requests as the thread works on at a time. */
const LIST_CONNECTIONS = 2

// Short requests on the main thread go first.
lowerPriority()

const start = workerData as SlowLaneStart
const port = parentPort!
const closing = new AbortController()
const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer)

/** Log lines go through the main thread, which knows the level and the format. Errors travel as their text. */
const sendLog =
  (level: 'warn' | 'error') =>
  (message: string, fields: LogFields = {}): void => {
    const plain = Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? value.stack : value])
    send({ kind: 'log', level, message, fields: Object.fromEntries(plain) })
  }
const logger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: sendLog('warn'),
  error: sendLog('error'),
  child: () => logger,
}

const database = await connectDatabase({
  ...start.database,
  logger,
  signal: closing.signal,
  writeConnections: 1,
  listConnections: LIST_CONNECTIONS,
  pointConnections: 1,
})
const { mounts } = await openV3({
  database,
  decoder: createBodyDecoder(start.layouts),
  live: undefined,
  dialect: start.dialect,
  settings: start.settings,
})
const running = new Map<number, AbortController>()

const toCall = (request: SlowRequest, signal: AbortSignal): Call => ({
  transport: request.transport,
  endpoint: request.endpoint,
  query: request.query,
  body: undefined,
  headers: request.headers,
  remoteAddress: request.remoteAddress,
  requestId: request.requestId,
  receivedAt: performance.now(),
  trace: newTrace(),
  signal,
})

const parse = ({ body }: Interface, request: SlowRequest): JsonObject | undefined =>
  request.transport === 'post' ? parseBodyArguments(request.body, body.mayBeEmpty, request.limits) : undefined

const answer = async (mount: Mount, request: SlowRequest, signal: AbortSignal): Promise<SlowAnswer> => {
  const { definition } = mount
  const endpoint = definition.endpoints.find(({ name }) => name === request.endpoint)!
  const call = toCall(request, signal)
  const { status, text } = await replyTo(
    definition,
    call,
    restRendering(definition, call, endpoint),
    logger,
    async () => callEndpoint(mount, endpoint, call, { query: request.query, body: parse(definition, request) }),
  )
  return { status, json: new TextEncoder().encode(text), headers: call.trace.headers }
}

port.on('message', (message: ToThread) => {
  if (message.kind === 'cancel') {
    running.get(message.id)?.abort(new DeadlineExceededError(0))
    return
  }
  if (message.kind === 'close') {
    closing.abort()
    void database.close().then(() => port.close())
    return
  }
  const { id, request } = message
  const controller = new AbortController()
  running.set(id, controller)
  const mount = mounts.find(({ definition }) => definition.prefix === request.prefix)!
  answer(mount, request, controller.signal).then(
    (made) => {
      running.delete(id)
      send({ kind: 'answer', id, answer: made }, [made.json.buffer as ArrayBuffer])
    },
    (error: unknown) => {
      running.delete(id)
      send({ kind: 'failed', id, reason: error instanceof Error ? error.message : String(error) })
    },
  )
})
send({ kind: 'ready' })
