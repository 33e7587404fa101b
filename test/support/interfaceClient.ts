import { type Endpoint, methodsOf } from '../../src/api/core/Endpoint.ts'
import type { ClientOf, Interface } from '../../src/api/core/Interface.ts'
import { type JsonLimits, parseJson } from '../../src/api/core/json/parseJson.ts'
import { stringifyJson } from '../../src/api/core/json/stringifyJson.ts'
import { CodedError } from '../../src/primitives/errors.ts'

/** The server answered with an error. */
export class CallFailedError extends CodedError {
  readonly code = 'call_failed'
  readonly status: number
  readonly answer: unknown

  constructor(name: string, status: number, answer: unknown) {
    const said = typeof answer === 'object' && answer !== null && 'error' in answer ? `: ${answer.error}` : '.'
    super(`The call ${name} was answered with status ${status}${said}`)
    this.status = status
    this.answer = answer
  }
}

// Responses come from a trusted server and may be long.
const limits: JsonLimits = { maxDepth: 1000, maxValues: 10_000_000, maxDigits: 10_000 }

/** Calls an interface over HTTP at `baseUrl`, below which its prefix is. */
export const createClient = <const I extends Interface>(definition: I, baseUrl: string): ClientOf<I> => {
  const calls = definition.endpoints.map((endpoint) => [
    endpoint.name,
    (args: Arguments = {}) => call(definition, endpoint, baseUrl, args),
  ])
  return Object.fromEntries(calls)
}

type Arguments = { readonly [name: string]: unknown }

const call = async (definition: Interface, endpoint: Endpoint, baseUrl: string, args: Arguments): Promise<unknown> => {
  const url = `${baseUrl}${definition.prefix}/${endpoint.name}`
  const response = methodsOf(endpoint).includes('POST')
    ? await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: stringifyJson(args),
      })
    : await fetch(`${url}?${formatQuery(args)}`)
  const answer = parseJson(await response.text(), limits)
  if (!response.ok) throw new CallFailedError(endpoint.name, response.status, answer)
  return definition.openEnvelope(answer)
}

const formatQuery = (args: Arguments): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) query.append(name, String(each))
    }
  }
  return query.toString()
}
