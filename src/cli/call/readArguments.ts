import type { Endpoint } from '../../api/core/Endpoint.ts'
import { InvalidParamsError } from '../../api/core/errors.ts'
import { type JsonObject, type JsonValue, parseJson } from '../../api/core/json/parseJson.ts'
import { keywordsOf } from '../../api/core/params.ts'
import { parseArguments } from '../../api/core/parseArguments.ts'
import { suggest } from '../../config/suggest.ts'
import { CodedError } from '../../primitives/errors.ts'
import { UsageError } from '../errors.ts'
import { type Callable, formatCall } from './callables.ts'

const limits = { maxDepth: 100, maxValues: 100_000, maxDigits: 1000 }

/**
 * Reads the arguments of a call, given as `name=value` words or as one JSON object, and holds them against the parameters of
 * the endpoint: what the server would refuse for its form is refused here.
 */
export const readArguments = ({ api, endpoint }: Callable, words: readonly string[]): JsonObject => {
  const refuse = (what: string, hint?: string): never => {
    const usage = `Use it like this: chaincenter call ${api === 'v2' ? '' : `--api ${api} `}${formatCall(endpoint)}`
    throw new UsageError(what, hint ?? usage)
  }
  const [first] = words
  const args =
    words.length === 1 && first?.startsWith('{')
      ? (readJson(first, refuse) as JsonObject)
      : collect(endpoint, words, refuse)
  for (const name of Object.keys(args)) if (!Object.hasOwn(endpoint.params, name)) refuseName(endpoint, name, refuse)
  try {
    parseArguments(endpoint.params, { query: {}, body: args })
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error
    refuse(error.issues.map(({ message }) => asSentence(message)).join(' '))
  }
  return args
}

type Refuse = (what: string, hint?: string) => never

/** A name that comes more than once is a list, and so is one whose parameter is. */
const collect = (endpoint: Endpoint, words: readonly string[], refuse: Refuse): JsonObject => {
  const args: Record<string, JsonValue> = {}
  for (const word of words) {
    const at = word.indexOf('=')
    if (at < 1) refuse(`Expected an argument as name=value, but ${quote(word)} came.`)
    const name = word.slice(0, at)
    const text = word.slice(at + 1)
    const param = Object.hasOwn(endpoint.params, name) ? endpoint.params[name] : undefined
    if (param === undefined) refuseName(endpoint, name, refuse)
    const value = /^[{[]/.test(text) ? readJson(text, refuse) : text
    const before = args[name]
    if (keywordsOf(param!.schema).type === 'array') {
      args[name] = [
        ...((before as readonly JsonValue[] | undefined) ?? []),
        ...(Array.isArray(value) ? value : [value]),
      ]
    } else if (before !== undefined) {
      refuse(`The argument ${name} was given more than once.`)
    } else {
      args[name] = value
    }
  }
  return args
}

const refuseName = ({ name: called, params }: Endpoint, name: string, refuse: Refuse): never => {
  const meant = suggest(name, Object.keys(params))
  return refuse(`${called} has no argument ${quote(name)}.`, meant === undefined ? undefined : `Did you mean ${meant}?`)
}

const readJson = (text: string, refuse: Refuse): JsonValue => {
  try {
    return parseJson(text, limits)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return refuse(`An argument is not JSON: ${error.message}`)
  }
}

const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
