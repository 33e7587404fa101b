import { DatabaseTimeoutError, DatabaseUnavailableError } from '../../errors.ts'
import { WireConnection, type WireOptions } from './WireConnection.ts'

export type PoolOptions = WireOptions & { readonly connections: number }

type Slot = { readonly connection: Promise<WireConnection>; idleSince: number }

type Waiting = { readonly give: (slot: Slot) => void; readonly refuse: (error: Error) => void }

const WAIT_MS = 10_000
const IDLE_MS = 60_000

/** A pool of connections, each for one user at a time, first come, first served. */
export class WirePool {
  readonly #options: PoolOptions
  readonly #slots = new Set<Slot>()
  /** Most recently used last, and reused first, so that unneeded connections become idle and close. */
  readonly #idle: Slot[] = []
  readonly #waiting: Waiting[] = []
  readonly #tidy: NodeJS.Timeout
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#tidy = setInterval(() => this.#endUnused(), IDLE_MS).unref()
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get stats(): { readonly open: number; readonly busy: number; readonly waiting: number } {
    const open = this.#slots.size
    return { open, busy: open - this.#idle.length, waiting: this.#waiting.length }
  }

  /** Runs work with exclusive use of a connection. */
  async use<T>(work: (connection: WireConnection) => Promise<T>): Promise<T> {
    const slot = this.#takeAtOnce() ?? (await this.#wait())
    try {
      return await work(await slot.connection)
    } finally {
      this.#giveBack(slot)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#tidy)
    for (const { refuse } of this.#waiting.splice(0)) refuse(closedError())
    await Promise.all([...this.#slots].map((slot) => end(slot)))
  }

  #takeAtOnce(): Slot | undefined {
    if (this.#isClosed) throw closedError()
    return this.#idle.pop() ?? (this.#slots.size < this.#options.connections ? this.#open() : undefined)
  }

  #open(): Slot {
    const slot: Slot = {
      connection: WireConnection.open(this.#options, () => this.#forget(slot)),
      idleSince: 0,
    }
    this.#slots.add(slot)
    slot.connection.catch(() => this.#forget(slot))
    return slot
  }

  #wait(): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new DatabaseTimeoutError('No connection to the database became free in time.'))
      }, WAIT_MS)
      const waiting: Waiting = {
        give: (slot) => {
          clearTimeout(timer)
          resolve(slot)
        },
        refuse: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      this.#waiting.push(waiting)
    })
  }

  #giveBack(slot: Slot): void {
    if (!this.#slots.has(slot)) return
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next.give(slot)
      return
    }
    slot.idleSince = performance.now()
    this.#idle.push(slot)
  }

  /** A lost connection makes room for another, which a caller may be waiting for. */
  #forget(slot: Slot): void {
    if (!this.#slots.delete(slot)) return
    const at = this.#idle.indexOf(slot)
    if (at >= 0) this.#idle.splice(at, 1)
    if (!this.#isClosed) this.#waiting.shift()?.give(this.#open())
  }

  #endUnused(): void {
    const before = performance.now() - IDLE_MS
    for (const slot of this.#idle.filter(({ idleSince }) => idleSince < before)) {
      this.#forget(slot)
      void end(slot)
    }
  }
}

const end = async ({ connection }: Slot): Promise<void> => {
  await (await connection.catch(() => undefined))?.close()
}

const closedError = (): Error => new DatabaseUnavailableError('The database was closed.')
