import { resolve } from 'node:path'
import { type Endpoint, methodsOf } from '../../api/core/Endpoint.ts'
import { InvalidParamsError } from '../../api/core/errors.ts'
import type { Interface } from '../../api/core/Interface.ts'
import { type JsonObject, type JsonValue, parseJson } from '../../api/core/json/parseJson.ts'
import { keywordsOf, type Param } from '../../api/core/params.ts'
import { parseArguments } from '../../api/core/parseArguments.ts'
import { dev } from '../../api/dev/index.ts'
import { v2 } from '../../api/v2/index.ts'
import { v3 } from '../../api/v3/index.ts'
import { ApiError, callEndpoint } from '../../client/callEndpoint.ts'
import { suggest } from '../../config/errors.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { wrapText } from '../formatHelp.ts'
import { findStoredToken } from '../secrets.ts'

/** Calls one endpoint of a running service, or lists the endpoints. */
export const runCall = async (context: CommandContext, [word, ...rest]: readonly string[]): Promise<void> => {
  const { config, shutdown, show } = context
  if (word === undefined) {
    listMethods(context)
    return
  }
  const callable = getCallable(word, config.api)
  const args = readArguments(callable, rest)
  const token = callable.api === 'dev' ? await findToken(context) : undefined
  try {
    const caller = {
      fetch: token === undefined ? fetch : withToken(token),
      apiKey: config.apiKey?.reveal(),
      timeoutMs: TIMEOUT_MS,
      retries: 0,
      longestWaitMs: 0,
    }
    const { result } = await callEndpoint(caller, toTarget(callable, baseOf(context)), args, {
      signal: shutdown.signal,
    })
    const value = withoutBigints(result)
    show({ text: JSON.stringify(value, undefined, 2), value })
  } catch (error) {
    throw error instanceof ApiError ? new CallRefusedError(error) : error
  }
}

export type ApiName = 'v2' | 'v3' | 'dev'

/** An endpoint that can be called, and where it belongs. */
type Callable = { readonly api: ApiName; readonly definition: Interface; readonly endpoint: Endpoint }

const interfaces: { readonly [Name in ApiName]: Interface } = {
  v2: v2 as Interface,
  v3: v3 as Interface,
  dev: dev as Interface,
}

/** Every endpoint, or those of one interface, in the order of their interfaces. */
const listCallables = (api: ApiName | undefined): readonly Callable[] =>
  Object.entries(interfaces).flatMap(([name, definition]) =>
    api === undefined || api === name
      ? definition.endpoints.map((endpoint) => ({ api: name as ApiName, definition, endpoint }))
      : [],
  )

/** An endpoint by its name; where two interfaces have it, that of the first. */
const getCallable = (word: string, api: ApiName | undefined): Callable => {
  const callables = listCallables(api)
  const found = callables.find(({ endpoint }) => endpoint.name === word)
  if (found !== undefined) return found
  const meant = suggest(
    word,
    callables.map(({ endpoint }) => endpoint.name),
  )
  const elsewhere = listCallables(undefined).find(({ endpoint }) => endpoint.name === word)
  const where = api === undefined ? '' : ` in ${api}`
  const advice =
    elsewhere !== undefined
      ? `It is in ${elsewhere.api}: leave --api out, or say --api ${elsewhere.api}.`
      : meant === undefined
        ? 'Run "chaincenter call" to see all of them.'
        : `Did you mean ${meant}?`
  throw new UsageError(`Unknown method ${JSON.stringify(word.slice(0, 80))}${where}.`, advice)
}

/** How an endpoint is called, on one line. */
const formatCall = ({ name, params }: Endpoint): string => [name, ...Object.entries(params).map(formatParam)].join(' ')

const formatParam = ([name, { presence, fallback }]: [string, Param]): string => {
  if (presence === 'required') return `${name}=…`
  return `[${name}=${typeof fallback === 'string' || typeof fallback === 'number' ? fallback : '…'}]`
}

/** What is asked by GET where it can be. */
const isAskedByGet = (endpoint: Endpoint): boolean => methodsOf(endpoint).includes('GET')

const limits = { maxDepth: 100, maxValues: 100_000, maxDigits: 1000 }

/**
 * Reads the arguments of a call, given as `name=value` words or as one JSON object, and holds them against the parameters of
 * the endpoint: what the server would refuse for its form is refused here.
 */
const readArguments = ({ api, endpoint }: Callable, words: readonly string[]): JsonObject => {
  const refuse = (what: string, hint?: string): never => {
    const usage = `Usage: chaincenter call ${api === 'v2' ? '' : `--api ${api} `}${formatCall(endpoint)}`
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
    if (at < 1) refuse(`Expected an argument as name=value, but got ${quote(word)}.`)
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

/** A service refused a call, or could not be asked. */
class CallRefusedError extends CodedError {
  readonly code: string
  override readonly retryable: boolean

  constructor({ code, message, status, cause }: ApiError) {
    super(status === 0 ? message : `The service answered with status ${status}: ${message}`, { cause })
    this.code = `call_${code}`
    this.retryable = status === 429 || status >= 500 || status === 0
  }
}

/** The token of the controls: the given one or, for a service on this machine, the one that it keeps in the data folder. */
const findToken = async ({ config, workingDir }: CommandContext): Promise<string | undefined> =>
  config.controlsToken?.reveal() ??
  (config.url === undefined ? await findStoredToken(resolve(workingDir, config.dataDir)) : undefined)

const withToken =
  (token: string): typeof fetch =>
  (url, init) =>
    fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${token}` } })

/** Traces of a thousand transactions take their time. */
const TIMEOUT_MS = 60_000

const baseOf = ({ config }: CommandContext): string =>
  String(config.url ?? `http://127.0.0.1:${config.port}`).replace(/\/+$/, '')

const toTarget = ({ definition, endpoint }: Callable, base: string) => ({
  endpoint: endpoint.name,
  url: `${base}${definition.prefix}/${endpoint.name}`,
  get: isAskedByGet(endpoint),
  post: !isAskedByGet(endpoint) || endpoint.methods === undefined || endpoint.methods.includes('POST'),
  isWrapped: endpoint.isBare !== true && definition.prefix !== '/api/v3',
})

/** Numbers of more digits than JSON of other programs keeps are written as text. */
const withoutBigints = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(withoutBigints)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutBigints(member)]))
}

const listMethods = ({ config, show }: CommandContext): void => {
  const callables = listCallables(config.api)
  const lines = callables.map(({ api, endpoint }) =>
    wrapText(`  ${api.padEnd(3)}  ${formatCall(endpoint)}`).replaceAll('\n', `\n${' '.repeat(9)}`),
  )
  const methods = callables.map(({ api, endpoint: { name, summary, params } }) => ({
    api,
    name,
    summary,
    parameters: Object.entries(params).map(([param, { presence }]) => ({ name: param, presence })),
  }))
  show({
    text: ['Methods of a service; what stands in brackets may be left out:', ...lines].join('\n'),
    value: { methods },
  })
}
