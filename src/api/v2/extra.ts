import type { Call } from '../core/Call.ts'
import { findMember, isJsonObject } from '../core/json/JsonValue.ts'

/** The name under which a caller may send a text to get it back. */
export const extraMember = '@extra'

const maxEchoLength = 1000

/** The mark on an answer: what the caller sent to be given back, or when, by which nodes and how fast it was made. */
export const describeCall = (call: Call): string => {
  const { trace, receivedAt } = call
  const echo = findEcho(call)
  if (echo !== undefined) return echo
  const seconds = Math.floor(Date.now() / 1000)
  const nodes = trace.nodes.length === 0 ? '_' : trace.nodes.join(',')
  const elapsedMs = (performance.now() - receivedAt).toFixed(3)
  return `${seconds}:${nodes}:${elapsedMs}${trace.isKept ? ':c' : ''}`
}

const findEcho = ({ query, body }: Call): string | undefined => {
  const inBody = body !== undefined && isJsonObject(body) ? findMember(body, extraMember) : undefined
  const echo = typeof inBody === 'string' ? inBody : query[extraMember]?.at(-1)
  return echo?.slice(0, maxEchoLength)
}
