import type { Logger } from '../../observe/Logger.ts'
import type { AccessControl } from './AccessControl.ts'
import type { Call, OnAnswered } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import type { Interface } from './Interface.ts'
import type { LoadShedders, Work } from './LoadShedder.ts'
import type { HttpLimits } from './limits.ts'
import type { RequestScheduler } from './RequestScheduler.ts'
import { CachedRequests, type ResponseCache } from './ResponseCache.ts'
import type { SlowLane } from './SlowLane.ts'

/** An interface with the context of its handlers. */
export type Mount = {
  readonly definition: Interface
  /** Without it, nothing is cached. */
  readonly responseCache: ResponseCache | undefined
  /** Creates the context of one call. */
  readonly context: (call: Call) => unknown
  /** Token of a local-only interface: callers on other machines must send it. Without a token, only this machine may call. */
  readonly token: string | undefined
  /** Host names of this machine besides localhost, for a local-only interface. */
  readonly allowedHosts: readonly string[]
  /** Checks every result against its schema and fails if they differ; for tests. */
  readonly checkResults: boolean
  /** Answers long requests on another thread; without it all are answered on this thread. */
  readonly slowLane: SlowLane | undefined
  /** The kind of work of a request, which is refused while there is too much of it; `undefined`: never. */
  readonly workOf: ((endpoint: Endpoint, isLong: boolean) => Work | undefined) | undefined
}

export type MountOptions = Partial<
  Pick<Mount, 'responseCache' | 'token' | 'allowedHosts' | 'checkResults' | 'slowLane' | 'workOf'>
>

export const mount = <Context>(
  definition: Interface<Context>,
  context: (call: Call) => Context,
  { responseCache, token, allowedHosts = [], checkResults = false, slowLane, workOf }: MountOptions = {},
): Mount => ({ definition, context, responseCache, token, allowedHosts, checkResults, slowLane, workOf })

/** What is needed to serve an interface. */
type ServiceParts = {
  readonly mount: Mount
  readonly limits: HttpLimits
  readonly logger: Logger
  /** While the server closes, connections are not kept alive. */
  readonly isClosing: () => boolean
  readonly onAnswered?: OnAnswered | undefined
  readonly accessControl?: AccessControl | undefined
  /** Refuse what cannot be answered in time; without them, everything is accepted. */
  readonly shedders?: LoadShedders | undefined
  readonly scheduler: RequestScheduler
}

/** An interface that is being served. */
export type Service = ServiceParts & { readonly cachedRequests: CachedRequests }

export const createService = (parts: ServiceParts): Service => ({ ...parts, cachedRequests: new CachedRequests() })

export const jsonMediaType = 'application/json; charset=utf-8'
