import type { Logger } from '../../observe/Logger.ts'
import type { Call } from './Call.ts'
import { type Failure, toFailure } from './Failure.ts'
import type { Interface } from './Interface.ts'
import type { JsonRpc } from './JsonRpc.ts'
import type { JsonValue } from './json/JsonValue.ts'
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
export const restRendering = (definition: Interface, call: Call): Rendering => ({
  renderResult: (result) => definition.envelope(result, call),
  renderError: (failure) => definition.renderError(failure, call),
  statusOf: ({ status }) => status,
})

/** As an interface has it for JSON-RPC. */
export const rpcRendering = (rpc: JsonRpc, call: Call, id: JsonValue | undefined): Rendering => ({
  renderResult: (result) => rpc.renderResult(result, call, id),
  renderError: (failure) => rpc.renderError(failure, call, id),
  statusOf: (failure) => rpc.statusOf(failure),
})

/** The answer to a call, whatever becomes of it. What nobody foresaw is logged, and none of it is told. */
export const replyTo = async (
  { statuses }: Interface,
  call: Call,
  rendering: Rendering,
  logger: Logger,
  work: () => Promise<unknown>,
): Promise<Reply> => {
  try {
    return { status: 200, text: stringifyJson(rendering.renderResult(await work())) }
  } catch (error) {
    const failure = toFailure(error, statuses)
    if (failure.error === undefined) logger.error('call failed', { endpoint: call.endpoint, error })
    return { status: rendering.statusOf(failure), text: stringifyJson(rendering.renderError(failure)) }
  }
}
