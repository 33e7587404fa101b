import type { Logger } from '../../observe/Logger.ts'
import type { Gate } from './AccessControl.ts'
import type { Call, OnAnswered } from './Call.ts'
import type { Interface } from './Interface.ts'
import type { HttpLimits } from './limits.ts'
import { type Answers, KnownRequests } from './ResponseCache.ts'
import type { SlowLane } from './SlowLane.ts'

/** An interface with what its handlers work on. */
export type Mount = {
  readonly definition: Interface
  /** Where answers are kept; without it none are. */
  readonly answers: Answers | undefined
  /** Made for every call, so that a call may have things of its own. */
  readonly context: (call: Call) => unknown
  /** Token of an interface for this machine: a caller that sends it may be anywhere. Without it, only this machine may call. */
  readonly token: string | undefined
  /** Names of this machine besides localhost, for the same. */
  readonly allowedHosts: readonly string[]
  /** Holds every result against its schema, and fails where they differ: for tests. */
  readonly checkResults: boolean
  /** Answers long requests elsewhere; without it all are answered on this thread. */
  readonly slowLane: SlowLane | undefined
}

export type MountOptions = Partial<Pick<Mount, 'answers' | 'token' | 'allowedHosts' | 'checkResults' | 'slowLane'>>

export const mount = <Context>(
  definition: Interface<Context>,
  context: (call: Call) => Context,
  { answers, token, allowedHosts = [], checkResults = false, slowLane }: MountOptions = {},
): Mount => ({ definition, context, answers, token, allowedHosts, checkResults, slowLane })

/** What serving an interface takes besides the interface. */
type ServiceParts = {
  readonly mount: Mount
  readonly limits: HttpLimits
  readonly logger: Logger
  /** Connections are then no longer kept. */
  readonly isClosing: () => boolean
  readonly onAnswered?: OnAnswered | undefined
  readonly gate?: Gate | undefined
}

/** An interface as it is being served. */
export type Service = ServiceParts & { readonly requests: KnownRequests }

export const createService = (parts: ServiceParts): Service => ({ ...parts, requests: new KnownRequests() })

export const jsonMediaType = 'application/json; charset=utf-8'
