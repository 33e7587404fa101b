import { randomUUID } from 'node:crypto'
import type { Logger } from '../../observe/Logger.ts'
import type { Call } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import { type Failure, toFailure } from './errors.ts'
import type { Interface, JsonRpc } from './Interface.ts'
import type { JsonValue } from './json/parseJson.ts'
import { type Json, joinJson, stringifyJson } from './json/stringifyJson.ts'
import { type WireError, wireErrors } from './wireErrors.ts'

/** A response before it is sent. */
export type Reply = {
  readonly status: number
  readonly text: Json
  /** The same in parts, if it is a text: a large result is encoded once for all callers who get it. */
  readonly parts?: ReplyParts
}

type ReplyParts = readonly [before: string, result: string, after: string]

/** How results and errors are rendered. */
export type Rendering = {
  renderResult(result: unknown): unknown
  renderError(failure: Failure): unknown
  statusOf(failure: Failure): number
}

/** REST rendering: results in the envelope, errors with their status. */
export const restRendering = (definition: Interface, call: Call, endpoint?: Endpoint): Rendering => ({
  renderResult: (result) => (endpoint?.isBare === true ? result : definition.envelope(result, call)),
  renderError: (failure) => definition.renderError(failure, call),
  statusOf: ({ status }) => status,
})

/** JSON-RPC rendering. */
export const rpcRendering = (rpc: JsonRpc, call: Call, id: JsonValue | undefined): Rendering => ({
  renderResult: (result) => rpc.renderResult(result, call, id),
  renderError: (failure) => rpc.renderError(failure, call, id),
  statusOf: (failure) => rpc.statusOf(failure),
})

/**
 * The response to a call; `work` returns the JSON of its result. Internal errors are logged, and their details are not sent to the
 * caller.
 */
export const replyTo = async (
  definition: Interface,
  call: Call,
  rendering: Rendering,
  logger: Logger,
  work: () => Promise<Json>,
): Promise<Reply> => {
  try {
    return wrap(rendering, await work())
  } catch (error) {
    return failedReply(definition, call, rendering, logger, error)
  }
}

/** The response to a call that failed, or that was never made. */
export const failedReply = (
  { statuses }: Interface,
  call: Call,
  rendering: Rendering,
  logger: Logger,
  error: unknown,
): Reply => {
  const failure = toFailure(error, statuses)
  if (failure.status >= 500) noteFailure(logger, call, failure, error)
  const { retryAfter }: WireError = wireErrors[failure.code]
  if (retryAfter !== undefined) call.trace.headers = { ...call.trace.headers, 'retry-after': String(retryAfter) }
  return { status: rendering.statusOf(failure), text: stringifyJson(rendering.renderError(failure)) }
}

/** Unknown errors are bugs (level error); known server-side errors are logged at level debug, with the request id. */
const noteFailure = (logger: Logger, { endpoint, requestId }: Call, failure: Failure, error: unknown): void => {
  if (failure.error === undefined) logger.error('call failed', { endpoint, requestId, error })
  else logger.debug('call refused', { endpoint, requestId, code: failure.code, reason: failure.message })
}

/** Placeholder of a result in its envelope. It is random, so no caller can send it, and its first occurrence is the right one. */
export const resultMark = randomUUID()
const markText = JSON.stringify(resultMark)

/** The JSON before and after {@link resultMark} in an envelope. */
export const frameOf = (envelope: unknown): readonly [before: string, after: string] => {
  const frame = stringifyJson(envelope)
  const at = frame.indexOf(markText)
  return [frame.slice(0, at), frame.slice(at + markText.length)]
}

/** The JSON of a result in the JSON around it, without reading either. */
export const wrap = (rendering: Rendering, result: Json): Reply => {
  const [before, after] = frameOf(rendering.renderResult(resultMark))
  if (typeof result !== 'string') {
    const isAlone = before === '' && after === ''
    return { status: 200, text: isAlone ? result : joinJson([before, result, after]) }
  }
  return { status: 200, text: before + result + after, parts: [before, result, after] }
}
