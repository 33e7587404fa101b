import type { IncomingHttpHeaders } from 'node:http'
import { hasScope } from '../../primitives/keyScopes.ts'
import type { Admission } from '../core/AccessControl.ts'

/** What one caller may have. `undefined`: no limit. */
export type StreamLimits = {
  /** At the same time. */
  readonly connections: number | undefined
  /** Addresses and trace hashes of a connection. */
  readonly addresses: number | undefined
  /** How far back a replay may begin. */
  readonly replayMs: number | undefined
  /** Whether it may subscribe to every address. */
  readonly isForAll: boolean
}

/** Who is counted, and what it may have. */
export type StreamCaller = StreamLimits & {
  /** `undefined`: not counted. */
  readonly name: string | undefined
  /** Id of the API key. */
  readonly key: string | undefined
}

/** The plan whose limits apply to plans without their own. */
const LARGEST_PLAN = 'advanced'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const defaultPlans: readonly (readonly [plan: string, limits: StreamLimits])[] = [
  ['anonymous', { connections: 1, addresses: 10, replayMs: HOUR_MS, isForAll: false }],
  ['free', { connections: 2, addresses: 100, replayMs: DAY_MS, isForAll: false }],
  ['plus', { connections: 10, addresses: 1000, replayMs: 30 * DAY_MS, isForAll: false }],
  [LARGEST_PLAN, { connections: 50, addresses: 10_000, replayMs: undefined, isForAll: false }],
]

/** Limits by plan. */
export type StreamPlans = ReadonlyMap<string, StreamLimits>

/** Default limits, overridden and extended by the settings. */
export const createStreamPlans = (defined: readonly (StreamLimits & { readonly name: string })[] = []): StreamPlans =>
  new Map([...defaultPlans, ...defined.map(({ name, ...limits }) => [name, limits] as const)])

const unlimited: StreamLimits = {
  connections: undefined,
  addresses: undefined,
  replayMs: undefined,
  isForAll: true,
}

export type CallerFacts = {
  /** Whether a trusted proxy sent the request. */
  readonly isTrusted: boolean
  readonly admission: Partial<Pick<Admission, 'key' | 'plan' | 'scopes' | 'caller'>> | undefined
  readonly plans: StreamPlans
}

/**
 * The limits of a request: those that a trusted proxy sets in headers, or else those of its plan. Without access control there are
 * none.
 */
export const findCaller = (
  headers: IncomingHttpHeaders,
  { isTrusted, admission, plans }: CallerFacts,
): StreamCaller => {
  const key = admission?.key
  const limitingKey = isTrusted ? headers['x-limiting-key'] : undefined
  if (limitingKey === '') return { ...unlimited, name: undefined, key }
  if (limitingKey !== undefined) {
    const connections = readLimit(headers['x-max-parallel-connections'])
    const addresses = readLimit(headers['x-max-subscribed-addr'])
    return { ...unlimited, connections, addresses, name: `gateway ${String(limitingKey)}`, key }
  }
  const plan = admission?.plan
  if (plan === undefined) return { ...unlimited, name: undefined, key }
  const limits = plans.get(plan) ?? plans.get(LARGEST_PLAN)!
  const isForAll = limits.isForAll || hasScope(admission?.scopes, 'stream:all')
  return { ...limits, isForAll, name: admission?.caller, key }
}

/** Absent, malformed or negative: no limit. */
const readLimit = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : undefined
