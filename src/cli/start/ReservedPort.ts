import type { Server } from 'node:net'
import type { FrontLink } from '../../api/core/front.ts'

/** A port that is bound before the service behind it is ready. Apart from `reservePort`, whose errors need the type of a command. */
export interface ReservedPort {
  readonly host: string
  readonly port: number
  /** The listening socket; a server that listens on it takes the port over. */
  readonly socket: Server
  /** The front that forwards requests to it; without one, clients connect themselves. */
  readonly front?: FrontLink
  /** Frees the port, also from a server that took it over: to be called last. */
  release(): void
}
