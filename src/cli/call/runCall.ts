import { resolve } from 'node:path'
import { ApiError, callEndpoint } from '../../client/callEndpoint.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { CommandContext } from '../Command.ts'
import { findKeptToken } from '../dev/controlsToken.ts'
import { wrapText } from '../wrapText.ts'
import { type Callable, formatCall, getCallable, isAskedByGet, listCallables } from './callables.ts'
import { readArguments } from './readArguments.ts'

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
    const { result } = await callEndpoint(caller, placeOf(callable, baseOf(context)), args, { signal: shutdown.signal })
    const value = withoutBigints(result)
    show({ text: JSON.stringify(value, undefined, 2), value })
  } catch (error) {
    throw error instanceof ApiError ? new CallRefusedError(error) : error
  }
}

/** The token of the controls: the given one or, for a service on this machine, the one that it keeps in the data folder. */
const findToken = async ({ config, workingDir }: CommandContext): Promise<string | undefined> =>
  config.controlsToken?.reveal() ??
  (config.url === undefined ? await findKeptToken(resolve(workingDir, config.dataDir)) : undefined)

const withToken =
  (token: string): typeof fetch =>
  (url, init) =>
    fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${token}` } })

/** Traces of a thousand transactions take their time. */
const TIMEOUT_MS = 60_000

const baseOf = ({ config }: CommandContext): string =>
  String(config.url ?? `http://127.0.0.1:${config.port}`).replace(/\/+$/, '')

const placeOf = ({ definition, endpoint }: Callable, base: string) => ({
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
