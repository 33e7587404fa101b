import { randomUUID } from 'node:crypto'
import type { Logger } from '../../observe/Logger.ts'
import type { Call } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import { type Failure, toFailure } from './errors.ts'
import type { Interface, JsonRpc } from './Interface.ts'
import type { JsonValue } from './json/parseJson.ts'
import { stringifyJson } from './json/stringifyJson.ts'

/** An answer on its way out. */
export type Reply = { readonly status: number; readonly text: string }

/** How an outcome looks. */
export type Rendering = {
  renderResult(result: unknown): unknown
  renderError(failure: Failure): unknown
  statusOf(failure: Failure): number
}

/** As an interface has it for REST: results in the envelope, failures with their status. */
export const restRendering = (definition: Interface, call: Call, endpoint?: Endpoint): Rendering => ({
  renderResult: (result) => (endpoint?.isBare === true ? result : definition.envelope(result, call)),
  renderError: (failure) => definition.renderError(failure, call),
  statusOf: ({ status }) => status,
})

/** As an interface has it for JSON-RPC. */
export const rpcRendering = (rpc: JsonRpc, call: Call, id: JsonValue | undefined): Rendering => ({
  renderResult: (result) => rpc.renderResult(result, call, id),
  renderError: (failure) => rpc.renderError(failure, call, id),
  statusOf: (failure) => rpc.statusOf(failure),
})

/**
 * The answer to a call, whatever becomes of it; `work` gives the JSON of its result. What nobody foresaw is logged, and none
 * of it is told.
 */
export const replyTo = async (
  { statuses }: Interface,
  call: Call,
  rendering: Rendering,
  logger: Logger,
  work: () => Promise<string>,
): Promise<Reply> => {
  try {
    return { status: 200, text: wrap(rendering, await work()) }
  } catch (error) {
    const failure = toFailure(error, statuses)
    if (failure.status >= 500) noteFailure(logger, call, failure, error)
    return { status: rendering.statusOf(failure), text: stringifyJson(rendering.renderError(failure)) }
  }
}

/** What nobody foresaw is a bug; what was foreseen and is not the caller's doing is for whoever looks for the request. */
const noteFailure = (logger: Logger, { endpoint, requestId }: Call, failure: Failure, error: unknown): void => {
  if (failure.error === undefined) logger.error('call failed', { endpoint, requestId, error })
  else logger.debug('call refused', { endpoint, requestId, code: failure.code, reason: failure.message })
}

/** Stands for a result in its envelope. Nothing that a caller sends can have it in it, so its first place is the right one. */
export const resultMark = randomUUID()
const markText = JSON.stringify(resultMark)

/** What stands before and after a result in the JSON of an envelope that was made for {@link resultMark}. */
export const frameOf = (envelope: unknown): readonly [before: string, after: string] => {
  const frame = stringifyJson(envelope)
  const at = frame.indexOf(markText)
  return [frame.slice(0, at), frame.slice(at + markText.length)]
}

/** The JSON of a result in the JSON around it, without reading either. */
export const wrap = (rendering: Rendering, result: string): string => {
  const [before, after] = frameOf(rendering.renderResult(resultMark))
  return before + result + after
}
