import { setTimeout as delay } from 'node:timers/promises'
import type { Delivery } from '../../streaming/delivery/Delivery.ts'
import type { StreamCaller } from './streamLimits.ts'

/** An open connection of a client. */
export interface StreamConnection {
  readonly transport: 'sse' | 'ws'
  readonly caller: StreamCaller
  /** `undefined` while nothing is subscribed. */
  readonly delivery: Delivery | undefined
  /** When the client last showed that it is there, as far as the transport tells. */
  readonly heardAt: number
  /** Called every second. */
  tick(now: number): void
  /** Ends the connection with a code of the WebSocket protocol. */
  end(code: number, reason: string): void
}

const CLOSE_GOING_AWAY = 1001
const CLOSE_KEY_ENDED = 4001
const CLOSE_REPLACED = 4008

const TICK_MS = 1000
/** A connection that was silent for this long may be dead. */
const SILENT_MS = 5000
const MAX_SPREAD_MS = 5000
const SPREAD_MS_EACH = 3

export type ConnectionsOptions = {
  /** Whether an API key is no longer valid. */
  readonly isKeyEnded?: ((key: string) => boolean) | undefined
}

/** A request for a further connection. */
export type Admittance = {
  /** The client resumes after this event: its former connection is dead. */
  readonly resumesAfter: string | undefined
}

/** The open connections of a process, counted by caller. */
export class StreamConnections {
  readonly #options: ConnectionsOptions
  readonly #open = new Set<StreamConnection>()
  readonly #byCaller = new Map<string, Set<StreamConnection>>()
  readonly #ticking: NodeJS.Timeout
  #isClosing = false

  constructor(options: ConnectionsOptions = {}) {
    this.#options = options
    this.#ticking = setInterval(() => this.#tick(), TICK_MS)
    this.#ticking.unref()
  }

  get isClosing(): boolean {
    return this.#isClosing
  }

  count(transport: StreamConnection['transport']): number {
    let count = 0
    for (const connection of this.#open) if (connection.transport === transport) count++
    return count
  }

  /** Why a caller may not have a further connection. One that resumes takes the place of its dead one. */
  findRefusal({ name, connections: limit }: StreamCaller, { resumesAfter }: Admittance): string | undefined {
    if (name === undefined || limit === undefined) return undefined
    const open = this.#byCaller.get(name) ?? new Set<StreamConnection>()
    if (open.size < limit) return undefined
    const dead = findDead(open, resumesAfter)
    if (dead === undefined) return `connection limit reached: ${limit} active connections`
    dead.end(CLOSE_REPLACED, 'replaced by a connection that resumes')
    this.remove(dead)
    return undefined
  }

  add(connection: StreamConnection): void {
    this.#open.add(connection)
    const { name } = connection.caller
    if (name === undefined) return
    const open = this.#byCaller.get(name) ?? new Set<StreamConnection>()
    this.#byCaller.set(name, open.add(connection))
  }

  remove(connection: StreamConnection): void {
    this.#open.delete(connection)
    const { name } = connection.caller
    const open = name === undefined ? undefined : this.#byCaller.get(name)
    if (name !== undefined && open?.delete(connection) && open.size === 0) this.#byCaller.delete(name)
  }

  /** Ends all connections: many of them one after the other, so that not all reconnect at once. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#ticking)
    const open = [...this.#open]
    const spreadMs = Math.min(MAX_SPREAD_MS, open.length * SPREAD_MS_EACH)
    const begunAt = performance.now()
    for (const [k, connection] of open.entries()) {
      const dueMs = (k / open.length) * spreadMs - (performance.now() - begunAt)
      if (dueMs > SPREAD_MS_EACH * 4) await delay(dueMs)
      connection.end(CLOSE_GOING_AWAY, 'server shuts down')
    }
  }

  #tick(): void {
    const now = performance.now()
    const { isKeyEnded } = this.#options
    for (const connection of this.#open) {
      const { key } = connection.caller
      if (key !== undefined && isKeyEnded?.(key)) connection.end(CLOSE_KEY_ENDED, 'API key revoked or expired')
      else connection.tick(now)
    }
  }
}

/** The connection that a caller lost: the one that sent the event it resumes after, or else one that shows no sign of life. */
const findDead = (
  open: ReadonlySet<StreamConnection>,
  resumesAfter: string | undefined,
): StreamConnection | undefined => {
  const bySilence = [...open].sort((a, b) => a.heardAt - b.heardAt)
  if (resumesAfter !== undefined) {
    return bySilence.find(({ delivery }) => delivery?.hasSent(resumesAfter)) ?? bySilence[0]
  }
  const silentSince = performance.now() - SILENT_MS
  return bySilence.find(({ delivery, heardAt }) => heardAt < silentSince && delivery?.isStalled === true)
}
