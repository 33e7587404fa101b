import { type Call, newTrace } from '../../api/core/Call.ts'
import { callEndpoint } from '../../api/core/callEndpoint.ts'
import type { Endpoint } from '../../api/core/Endpoint.ts'
import { ProxiedError, toFailure } from '../../api/core/errors.ts'
import type { Dialect } from '../../api/core/Interface.ts'
import { type JsonLimits, type JsonValue, parseJson } from '../../api/core/json/parseJson.ts'
import { textOf } from '../../api/core/json/stringifyJson.ts'
import type { Work } from '../../api/core/LoadShedder.ts'
import { type Mount, mount } from '../../api/core/Mount.ts'
import { ResponseCache } from '../../api/core/ResponseCache.ts'
import { MethodRunner } from '../../api/v2/getMethods/MethodRunner.ts'
import { presentV2 } from '../../api/v2/index.ts'
import type { V2Settings } from '../../api/v2/v2Endpoint.ts'
import type { V2Proxy } from '../../api/v3/V3Context.ts'
import type { Confirmations } from '../../chain/confirmations.ts'
import type { LiveChain } from '../../chain/LiveChain.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { createLiveChain } from '../../node/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import { readVersion } from '../readVersion.ts'

export type V2Options = {
  readonly node: ProvenNode
  readonly vm: VirtualMachine
  /** Dialect below /api; below /ton/api it is always ton. */
  readonly dialect: Dialect
  readonly settings?: V2Settings
  readonly cacheBytes?: number
  /** False: every response is made and every get-method is run again. */
  readonly responseCache?: boolean
  /** Called with every external message that a liteserver accepted. */
  readonly onSent?: (message: Cell) => void
  /** Tells what became of sent messages; absent without an index. */
  readonly confirmations?: Confirmations
  /** Nodes reserved for the keys of some plans, by pool name. */
  readonly pools?: ReadonlyMap<string, ProvenNode>
  /** Validates results against their schemas: for tests. */
  readonly checkResults?: boolean
}

export type OpenedV2 = {
  readonly mounts: readonly Mount[]
  /** Clears all caches of the chain: for embedded networks that revert blocks. */
  forget(): void
}

const CACHE_BYTES = 128 * 1024 * 1024
/** Share of the cache for get-method results. */
const METHODS_SHARE = 0.25
const SETTINGS: V2Settings = { topLevelDomain: 'ton' }

/** The v2 API over a network, in both dialects. */
export const openV2 = (options: V2Options): OpenedV2 => {
  const {
    node,
    vm,
    dialect,
    settings = SETTINGS,
    cacheBytes = CACHE_BYTES,
    responseCache = true,
    checkResults = false,
    onSent,
    confirmations,
  } = options
  const chain = createLiveChain(node)
  const ownChains = new Map([...(options.pools ?? [])].map(([pool, own]) => [pool, createLiveChain(own)]))
  const chainOf = ({ pool }: Call): LiveChain => (pool === undefined ? chain : (ownChains.get(pool) ?? chain))
  const answers = new ResponseCache({
    maxBytes: (1 - METHODS_SHARE) * cacheBytes,
    findHeadSeqno: () => chain.findHead()?.seqno,
  })
  const methods = new MethodRunner({ vm, maxBytes: METHODS_SHARE * cacheBytes, reuseResults: responseCache })
  const version = readVersion()
  const definitions = [
    presentV2({ prefix: '/api/v2', dialect, version }),
    presentV2({ prefix: '/ton/api/v2', dialect: 'ton', version }),
  ]
  return {
    mounts: definitions.map((definition) =>
      mount(definition, (call) => ({ chain: chainOf(call), vm, methods, settings, onSent, confirmations, call }), {
        responseCache: responseCache ? answers : undefined,
        checkResults,
        workOf: liveWorkOf,
      }),
    ),
    forget: () => {
      node.trust.restart()
      answers.clear()
    },
  }
}

/** Endpoints that run code of contracts. */
const METHODS = new Set([
  'runGetMethod',
  'runGetMethodStd',
  'getTokenData',
  'dnsResolve',
  'estimateFee',
  'estimateFeeSimple',
])

/** An endpoint with a time limit of its own waits on purpose. */
const liveWorkOf = ({ name, timeoutMs }: Pick<Endpoint, 'name' | 'timeoutMs'>): Work | undefined =>
  timeoutMs !== undefined ? undefined : METHODS.has(name) ? 'methods' : 'live'

/** The same for v3, whose requests go to the index unless they need the node. */
export const indexWorkOf = (endpoint: Endpoint, isLong: boolean): Work | undefined => {
  if (isLong) return 'slow'
  return endpoint.needsNode === true || endpoint.timeoutMs !== undefined ? liveWorkOf(endpoint) : 'index'
}

const limits: JsonLimits = { maxDepth: 1000, maxValues: 10_000_000, maxDigits: 10_000 }

/** Parses what we wrote. JSON.parse is many times faster, and does the same unless an integer is too long for a double. */
const parseOwn = (text: string): JsonValue =>
  /[:,[]-?\d{16}/.test(text) ? parseJson(text, limits) : (JSON.parse(text) as JsonValue)

/** Proxies requests to v2 in this process, as if they came over HTTP. */
export const createV2Proxy = (live: Mount): V2Proxy => {
  const { definition } = live
  const byName = new Map(definition.endpoints.map((endpoint) => [endpoint.name, endpoint]))
  return async (name, args, { signal, requestId, remoteAddress = '', plan, caller, trace: outer }) => {
    const endpoint = byName.get(name)
    if (endpoint === undefined) throw new Error(`The live interface has no endpoint ${name}.`)
    const call = {
      transport: 'post',
      endpoint: name,
      query: {},
      body: args,
      headers: {},
      remoteAddress,
      requestId,
      plan,
      caller,
      receivedAt: performance.now(),
      trace: { ...newTrace(), key: outer?.key },
      signal,
    } as const
    try {
      return parseOwn(textOf(await callEndpoint(live, endpoint, call, { query: {}, body: args })))
    } catch (error) {
      const failure = toFailure(error, definition.statuses)
      if (failure.error === undefined) throw error
      // When to come back, for one.
      if (outer !== undefined && call.trace.headers !== undefined) {
        outer.headers = { ...outer.headers, ...call.trace.headers }
      }
      const { error: message } = definition.renderError(failure, call) as { readonly error: string }
      throw new ProxiedError(message, failure.status)
    }
  }
}
