// The process of the slow lane. It ends with the service, whose end closes the channel.
import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { type Call, newTrace } from '../../api/core/Call.ts'
import { callEndpoint } from '../../api/core/callEndpoint.ts'
import { DeadlineExceededError } from '../../api/core/errors.ts'
import type { Interface } from '../../api/core/Interface.ts'
import type { JsonObject } from '../../api/core/json/parseJson.ts'
import type { Mount } from '../../api/core/Mount.ts'
import { parseBodyArguments } from '../../api/core/parseArguments.ts'
import { replyTo, restRendering } from '../../api/core/reply.ts'
import type { SlowRequest } from '../../api/core/SlowLane.ts'
import { createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { LogFields, Logger } from '../../observe/Logger.ts'
import { findTelemetry, findTracer, runSpan, setTelemetry } from '../../observe/Tracer.ts'
import { BYTES_FILE, lowerProcessPriority } from '../../observe/threads.ts'
import { connectDatabase } from '../../store/connect/connectDatabase.ts'
import type { Database } from '../../store/connect/Database.ts'
import { openV3 } from './openV3.ts'
import { type FromLane, type LaneAnswer, PART_HEADER_BYTES, type SlowLaneStart, type ToLane } from './slowLane.ts'

/** Connections for lists: as many requests as the process works on at a time. */
const LIST_CONNECTIONS = 2
/** Connections are closed within this time. */
const END_MS = 1000

const closing = new AbortController()
const running = new Map<number, AbortController>()
/** What is still to be sent of long answers. */
const unsent = new Map<number, Uint8Array>()
const pipe = new Socket({ fd: BYTES_FILE })
let opening: Promise<Opened> | undefined

type MadeAnswer = Pick<LaneAnswer, 'status' | 'headers'> & { readonly json: Uint8Array }

type Opened = { readonly database: Database; readonly mounts: readonly Mount[] }

const send = (message: FromLane): void => {
  if (process.connected) process.send!(message)
}

/** Log lines go through the service, which knows the level and the format. Errors travel as their text. */
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

const open = async (start: SlowLaneStart): Promise<Opened> => {
  if (start.telemetry !== undefined) {
    const { createTelemetry } = await import('../../observe/otlp/createTelemetry.ts')
    setTelemetry(await createTelemetry(start.telemetry, logger))
  }
  const database = await connectDatabase({
    ...start.database,
    logger,
    signal: closing.signal,
    writeConnections: 1,
    listConnections: LIST_CONNECTIONS,
    pointConnections: 1,
    sharesPriority: start.database.isEmbedded,
  })
  const { mounts } = await openV3({
    database,
    decoder: createBodyDecoder(start.layouts),
    live: undefined,
    dialect: start.dialect,
    settings: start.settings,
    // Long answers would fill it.
    textCacheBytes: 0,
  })
  return { database, mounts }
}

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

const answer = async (request: SlowRequest, signal: AbortSignal): Promise<MadeAnswer> => {
  const { mounts } = await opening!
  const mount = mounts.find(({ definition }) => definition.prefix === request.prefix)!
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
  const json = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return { status, json, headers: call.trace.headers }
}

/** An answer up to this size goes with its message, a longer one in parts of it. The service answers nobody else while it sends one. */
const PART_BYTES = 128 * 1024

const sendAnswer = (id: number, { status, headers, json }: MadeAnswer): void => {
  const isLong = json.length > PART_BYTES
  if (isLong) unsent.set(id, json)
  send({ kind: 'answer', id, answer: { status, headers, bytes: json.length, json: isLong ? undefined : json } })
}

/** Sends the next part of an answer. */
const sendPart = (id: number, json: Uint8Array): void => {
  const part = json.subarray(0, PART_BYTES)
  if (json.length > PART_BYTES) unsent.set(id, json.subarray(PART_BYTES))
  else unsent.delete(id)
  const header = Buffer.alloc(PART_HEADER_BYTES)
  header.writeUInt32LE(id, 0)
  header.writeUInt32LE(part.length, 4)
  pipe.cork()
  pipe.write(header)
  pipe.write(part)
  pipe.uncork()
}

/** As a span of the request, whose trace began in another process. */
const answerTraced = (request: SlowRequest, signal: AbortSignal): Promise<MadeAnswer> => {
  const tracer = findTracer()
  const { traceparent } = request
  if (tracer === undefined || traceparent === undefined) return answer(request, signal)
  return runSpan(tracer, 'slow lane', { parent: traceparent }, () => answer(request, signal))
}

const take = (message: ToLane): void => {
  if (message.kind === 'start') {
    opening = open(message.start)
    // Where it fails, the process ends with what the error says.
    void opening.then(() => {
      send({ kind: 'ready' })
      process.title = 'chaincenter slow lane'
    })
    return
  }
  const { id } = message
  if (message.kind === 'more') {
    const json = unsent.get(id)
    if (json !== undefined) sendPart(id, json)
    return
  }
  if (message.kind === 'cancel') {
    unsent.delete(id)
    running.get(id)?.abort(new DeadlineExceededError(0))
    return
  }
  const controller = new AbortController()
  running.set(id, controller)
  answerTraced(message.request, controller.signal)
    .then(
      (made) => sendAnswer(id, made),
      (error: unknown) => send({ kind: 'failed', id, reason: error instanceof Error ? error.message : String(error) }),
    )
    .finally(() => running.delete(id))
}

const end = async (): Promise<void> => {
  setTimeout(() => process.exit(0), END_MS)
  closing.abort()
  await opening?.then(({ database }) => database.close()).catch(() => undefined)
  await findTelemetry()?.close()
  process.exit(0)
}

/** Where memory runs out, the kernel of Linux ends this process and not the service. */
const offerMemory = (): void => {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // Another system, or one that forbids it.
  }
}

// Only now: to load it took a second of processor time, and requests wait for that.
lowerProcessPriority()
offerMemory()
// A terminal sends signals to all its processes. This one ends with the service, which may still wait for answers.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
// The service has ended: so does this process, when its channel closes.
pipe.on('error', () => undefined)
process.on('message', take)
process.on('disconnect', () => void end())
