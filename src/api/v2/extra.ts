import type { Call } from '../core/Call.ts'
import { findMember, isJsonObject, type JsonValue } from '../core/json/JsonValue.ts'

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

const findEcho = ({ query, body, transport }: Call): string | undefined => {
  const args = transport === 'rpc' && body !== undefined && isJsonObject(body) ? body['params'] : undefined
  const echo = findText(body) ?? findText(args) ?? query[extraMember]?.at(-1)
  return echo?.slice(0, maxEchoLength)
}

const findText = (value: JsonValue | undefined): string | undefined => {
  const member = isJsonObject(value) ? findMember(value, extraMember) : undefined
  return typeof member === 'string' ? member : undefined
}
