import type { Logger } from '../../observe/Logger.ts'
import type { OnAnswered } from './AnsweredRequest.ts'
import type { Gate } from './Gate.ts'
import { KnownRequests } from './KnownRequests.ts'
import type { HttpLimits } from './limits.ts'
import type { Mount } from './Mount.ts'

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
