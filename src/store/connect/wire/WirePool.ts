import { DatabaseTimeoutError, DatabaseUnavailableError } from '../../errors.ts'
import { WireConnection, type WireOptions } from './WireConnection.ts'

export type PoolOptions = WireOptions & { readonly connections: number }

type Place = { readonly connection: Promise<WireConnection>; idleSince: number }

type Waiting = { readonly give: (place: Place) => void; readonly refuse: (error: Error) => void }

const WAIT_MS = 10_000
const IDLE_MS = 60_000

/** Some connections, each for one at a time. Who comes first is served first. */
export class WirePool {
  readonly #options: PoolOptions
  readonly #places = new Set<Place>()
  /** The one that was used last is the last, and the next: those that are not needed are not kept. */
  readonly #idle: Place[] = []
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

  get figures(): { readonly open: number; readonly busy: number; readonly waiting: number } {
    const open = this.#places.size
    return { open, busy: open - this.#idle.length, waiting: this.#waiting.length }
  }

  /** Does something on a connection that nobody else has meanwhile. */
  async use<T>(work: (connection: WireConnection) => Promise<T>): Promise<T> {
    const place = this.#takeAtOnce() ?? (await this.#wait())
    try {
      return await work(await place.connection)
    } finally {
      this.#giveBack(place)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#tidy)
    for (const { refuse } of this.#waiting.splice(0)) refuse(closedError())
    await Promise.all([...this.#places].map((place) => end(place)))
  }

  #takeAtOnce(): Place | undefined {
    if (this.#isClosed) throw closedError()
    return this.#idle.pop() ?? (this.#places.size < this.#options.connections ? this.#open() : undefined)
  }

  #open(): Place {
    const place: Place = {
      connection: WireConnection.open(this.#options, () => this.#forget(place)),
      idleSince: 0,
    }
    this.#places.add(place)
    place.connection.catch(() => this.#forget(place))
    return place
  }

  #wait(): Promise<Place> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new DatabaseTimeoutError('No connection to the database became free in time.'))
      }, WAIT_MS)
      const waiting: Waiting = {
        give: (place) => {
          clearTimeout(timer)
          resolve(place)
        },
        refuse: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      this.#waiting.push(waiting)
    })
  }

  #giveBack(place: Place): void {
    if (!this.#places.has(place)) return
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next.give(place)
      return
    }
    place.idleSince = performance.now()
    this.#idle.push(place)
  }

  /** One that is lost makes room for another, which somebody may be waiting for. */
  #forget(place: Place): void {
    if (!this.#places.delete(place)) return
    const at = this.#idle.indexOf(place)
    if (at >= 0) this.#idle.splice(at, 1)
    if (!this.#isClosed) this.#waiting.shift()?.give(this.#open())
  }

  #endUnused(): void {
    const before = performance.now() - IDLE_MS
    for (const place of this.#idle.filter(({ idleSince }) => idleSince < before)) {
      this.#forget(place)
      void end(place)
    }
  }
}

const end = async ({ connection }: Place): Promise<void> => {
  await (await connection.catch(() => undefined))?.close()
}

const closedError = (): Error => new DatabaseUnavailableError('The database was closed.')
