import type { IncomingMessage } from 'node:http'
import type { AccessControl, Admission } from '../api/core/AccessControl.ts'
import { findRemoteCaller } from '../api/core/localAccess.ts'
import { CodedError } from '../primitives/errors.ts'
import { hasScope, type KeyScope } from '../primitives/keyScopes.ts'
import type { Rate } from '../primitives/Rate.ts'
import type { ApiKey } from '../store/keys/apiKeys.ts'
import { type FindAddress, nameCaller } from './clientAddress.ts'
import type { Counters, Taken } from './counters/MemoryCounters.ts'
import { type KeyText, parseKey } from './keys/keyText.ts'
import { ANONYMOUS, emulationRate, FREE_PLAN, type Plan, type Plans } from './plans.ts'

// The error texts are those of the original service.

/** Unknown or revoked API key. */
class UnknownKeyError extends CodedError {
  readonly code = 'unauthorized'
  constructor() {
    super('API key does not exist')
  }
}

/** API key of another network. */
class ForeignKeyError extends CodedError {
  readonly code = 'forbidden'
  constructor() {
    super('Network not allowed')
  }
}

/** API key without the right that the request needs. */
class ScopeMissingError extends CodedError {
  readonly code = 'forbidden'
  constructor(scope: KeyScope) {
    super(`This API key has no scope ${scope}.`)
  }
}

/** Rate limit exceeded. */
class RateLimitedError extends CodedError {
  readonly code = 'rate_limited'
  override readonly retryable = true
}

const overPlan = (): RateLimitedError => new RateLimitedError('Ratelimit exceeded')

const overAnonymous = ({ perSecond }: Rate): RateLimitedError =>
  new RateLimitedError(`Ratelimit without API Key exceed: ${perSecond} per second`)

const parameter = /[?&]api_key=([^&#]*)/

/** The API key of a request: the header X-API-Key, or the query parameter api_key. An empty value means absent. */
const findKeyText = ({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined => {
  const header = headers['x-api-key']
  if (header !== undefined && header !== '') return String(header)
  // Most requests have no such parameter; this check is much cheaper than parsing the query.
  if (!url.includes('api_key=')) return undefined
  return parameter.exec(url)?.[1] || undefined
}

export type AccessControlOptions = {
  /** Keys of other networks than these are refused. */
  readonly networks: readonly string[]
  readonly counters: Counters
  readonly plans: Plans
  /** Rate limits without a key, by interface. */
  readonly anonymous: { readonly v2: Rate; readonly v3: Rate }
  /** Finds an API key, or says that keys are not loaded yet. */
  readonly findKey: (text: KeyText) => ApiKey | CodedError | undefined
  /** Whether a key that was found before was revoked or has expired. */
  readonly isEnded?: (id: string) => boolean
  readonly findAddress: FindAddress
  /** No rate limit for programs on this machine. */
  readonly isLocalFree: boolean
}

const admitted: Admission = { refusal: undefined, headers: [], key: undefined, pool: undefined, plan: undefined }

/** Access control by the plans of API keys, and by client address without a key. */
export const createAccessControl = (options: AccessControlOptions): AccessControl => {
  const { isLocalFree, isEnded } = options
  return {
    ...(isEnded !== undefined && { isEnded }),
    admit: (request, prefix) => {
      const text = findKeyText(request)
      if (isLocalFree && isLocal(request)) return admitLocal(options, text)
      return text === undefined ? admitAnonymous(options, request, prefix) : admitKey(options, text, request, prefix)
    },
  }
}

/** Counts a request by its client address. Requests with an invalid key are counted the same way and refused with `wrongKey`. */
const admitAnonymous = (
  { anonymous, counters, findAddress }: AccessControlOptions,
  request: IncomingMessage,
  prefix: string,
  wrongKey?: CodedError,
): Admission | Promise<Admission> => {
  const api = isEmulation(prefix) ? 'emulate' : isIndexed(prefix) ? 'v3' : 'v2'
  const caller = nameCaller(findAddress(request.socket.remoteAddress ?? '', request.headers))
  const rate = api === 'emulate' ? emulationRate(ANONYMOUS) : anonymous[api]
  const taken = counters.take(`${api} ${caller}`, rate)
  const refuse = overAnonymous
  return decide(taken, { rate, key: undefined, pool: undefined, plan: ANONYMOUS, caller, refuse, wrongKey })
}

/** Streams are made from the index, like v3. */
const isIndexed = (prefix: string): boolean => prefix.endsWith('/v3') || prefix.includes('/streaming')

/** Emulation and debugging cost far more than other requests, so they have a rate of their own. */
const isEmulation = (prefix: string): boolean => /\/(emulate|debug)\/v1$/.test(prefix)

const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  findRemoteCaller(socket.remoteAddress, headers) === undefined

/** Not limited, but attributed to its key. */
const admitLocal = ({ findKey, plans }: AccessControlOptions, text: string | undefined): Admission => {
  const named = text === undefined ? undefined : parseKey(text)
  const key = named && findKey(named)
  if (key === undefined || key instanceof CodedError) return admitted
  return { ...admitted, key: key.id, pool: planOf(plans, key).pool }
}

const admitKey = (
  options: AccessControlOptions,
  text: string,
  request: IncomingMessage,
  prefix: string,
): Admission | Promise<Admission> => {
  const { networks, counters, findKey, plans } = options
  const refuse = (wrongKey: CodedError) => admitAnonymous(options, request, prefix, wrongKey)
  const named = parseKey(text)
  if (named === undefined) return refuse(new UnknownKeyError())
  if (!networks.includes(named.network)) return refuse(new ForeignKeyError())
  const key = findKey(named)
  if (key === undefined) return refuse(new UnknownKeyError())
  // Keys are not loaded yet: admit the request.
  if (key instanceof CodedError) return { ...admitted, refusal: key }
  const { rate: general, pool } = planOf(plans, key)
  const isEmulated = isEmulation(prefix)
  const rate = isEmulated ? emulationRate(key.plan) : general
  const caller = `key ${key.owner} ${key.plan}`
  const taken = counters.take(`${isEmulated ? 'emulate ' : ''}${caller}`, rate)
  const scope = findScope(prefix, request.method)
  const wrongKey = scope === undefined || hasScope(key.scopes, scope) ? undefined : new ScopeMissingError(scope)
  return decide(taken, {
    rate,
    key: key.id,
    pool,
    plan: key.plan,
    scopes: key.scopes,
    caller,
    refuse: overPlan,
    wrongKey,
  })
}

/** The right that a request needs. */
const findScope = (prefix: string, method: string | undefined): KeyScope | undefined => {
  if (prefix.endsWith('/debug/v1')) return 'debug'
  if (!prefix.endsWith('/webhooks/v1')) return undefined
  return method === 'GET' || method === 'HEAD' ? 'webhooks:read' : 'webhooks:write'
}

/** A plan that is no longer configured falls back to the free plan. */
const planOf = (plans: Plans, { plan, rate }: ApiKey): Plan => {
  const known = plans.get(plan) ?? plans.get(FREE_PLAN)!
  return rate === undefined ? known : { rate, pool: known.pool }
}

type Visit = Pick<Admission, 'key' | 'pool' | 'plan' | 'scopes' | 'caller'> & {
  readonly rate: Rate
  readonly refuse: (rate: Rate) => CodedError
  readonly wrongKey?: CodedError | undefined
}

const decide = (taken: Taken | Promise<Taken>, visit: Visit): Admission | Promise<Admission> =>
  taken instanceof Promise ? taken.then((late) => toAdmission(late, visit)) : toAdmission(taken, visit)

const toAdmission = (taken: Taken, { rate, key, pool, plan, scopes, caller, refuse, wrongKey }: Visit): Admission => {
  const headers = [
    'ratelimit-limit',
    String(rate.burst),
    'ratelimit-remaining',
    String(taken.remaining),
    'ratelimit-reset',
    toSeconds(taken.resetMs),
  ]
  if (!taken.isAllowed) headers.push('retry-after', toSeconds(taken.retryMs))
  return { refusal: taken.isAllowed ? wrongKey : refuse(rate), headers, key, pool, plan, scopes, caller }
}

/** Whole seconds, rounded up. */
const toSeconds = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1000)))
