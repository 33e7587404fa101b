import { newTrace } from '../../api/core/Call.ts'
import { callEndpoint } from '../../api/core/callEndpoint.ts'
import { PassedOnError, toFailure } from '../../api/core/errors.ts'
import { type JsonLimits, parseJson } from '../../api/core/json/parseJson.ts'
import type { Mount } from '../../api/core/Mount.ts'
import type { AskLive } from '../../api/v3/V3Context.ts'

// The text is our own.
const limits: JsonLimits = { maxDepth: 1000, maxValues: 10_000_000, maxDigits: 10_000 }

/** Passes questions on to an interface in this process, as if they had come over HTTP. */
export const createAskLive = (live: Mount): AskLive => {
  const { definition } = live
  const byName = new Map(definition.endpoints.map((endpoint) => [endpoint.name, endpoint]))
  return async (name, args, { signal, requestId }) => {
    const endpoint = byName.get(name)
    if (endpoint === undefined) throw new Error(`The live interface has no endpoint ${name}.`)
    const call = {
      transport: 'post',
      endpoint: name,
      query: {},
      body: args,
      headers: {},
      remoteAddress: '',
      requestId,
      receivedAt: performance.now(),
      trace: newTrace(),
      signal,
    } as const
    try {
      return parseJson(await callEndpoint(live, endpoint, call, { query: {}, body: args }), limits)
    } catch (error) {
      const failure = toFailure(error, definition.statuses)
      if (failure.error === undefined) throw error
      const { error: message } = definition.renderError(failure, call) as { readonly error: string }
      throw new PassedOnError(message, failure.status)
    }
  }
}
