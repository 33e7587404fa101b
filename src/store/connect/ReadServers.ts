import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import { DatabaseUnavailableError, IndexBehindError } from '../errors.ts'
import {
  HeadWatch,
  type Reader,
  type ReaderAtOptions,
  type ReadServer,
  type SeenReadStats,
  type ServerStats,
  type WatchedServer,
} from './Database.ts'

/** The two readers of a server, and how to close them. */
export type ServerReaders = ReadServer & { close(): Promise<void> }

export type ReadServersOptions = {
  readonly writer: ServerReaders
  readonly replicas: readonly ServerReaders[]
  /** Maximum replication lag of a replica that is read from. */
  readonly maxLagMs: number
  readonly logger: Logger
}

type Watched = { readonly server: WatchedServer; readonly watch: HeadWatch }

/** A block of the writer, and when it was first seen. */
type Written = { readonly seqno: number; readonly firstSeenAt: number }

/**
 * The servers to read from. Replicas are preferred, in turn. A replica that does not answer, or lags behind the writer for too
 * long, is skipped until it has caught up; if none is left, the writer is read; if that does not answer either, replicas that lag.
 */
export class ReadServers {
  readonly #options: ReadServersOptions
  readonly #writer: Watched
  readonly #replicas: readonly Watched[]
  readonly #seenReads = { known: 0, waited: 0, writer: 0, refused: 0 }
  /** Blocks of the writer that some replica does not have yet, oldest first. */
  #written: Written[] = []
  /** The head that the writer had before it was rewound, until it is there again. */
  #rewoundFrom = 0
  #turn = 0
  #isWatching = false
  #waiting = 0
  #polling: Promise<void> | undefined

  constructor(options: ReadServersOptions) {
    this.#options = options
    this.#writer = this.#watched(options.writer, false)
    this.#replicas = options.replicas.map((replica) => this.#watched(replica, true))
  }

  /** The next server to read from. */
  next(): WatchedServer {
    this.#watch()
    const upToDate = this.#inTurn(this.#replicas.filter((replica) => this.#isUsable(replica)))
    if (upToDate !== undefined || !this.#writer.watch.isLost) return (upToDate ?? this.#writer).server
    return (this.#inTurn(this.#replicas.filter((replica) => this.#isAnswering(replica))) ?? this.#writer).server
  }

  /** A server that has a block: see `Database.readerAt`. */
  async at(seqno: number, { waitMs, isEnded }: ReaderAtOptions): Promise<WatchedServer> {
    this.#watch()
    const known = this.#findAt(seqno)
    if (known !== undefined) {
      this.#seenReads.known++
      return known.server
    }
    const start = performance.now()
    this.#waiting++
    try {
      // A head in memory may be older than a poll.
      await this.#pollAll()
      for (;;) {
        const found = this.#findAt(seqno)
        if (found !== undefined) {
          this.#seenReads.waited++
          return found.server
        }
        if (this.#mayReadWriter(seqno, start)) {
          this.#seenReads.writer++
          return this.#writer.server
        }
        const isOver = performance.now() - start >= waitMs || isEnded?.() === true
        if (isOver || this.#waiting > MAX_WAITING || this.#isFarAhead(seqno)) throw this.#refuse(seqno)
        await this.#pollSoon()
      }
    } finally {
      this.#waiting--
    }
  }

  get stats(): readonly ServerStats[] {
    const { watch } = this.#writer
    return [
      { server: 'writer', isUsable: watch.seen !== undefined && !watch.isLost, head: watch.seen?.head },
      ...this.#replicas.map((replica, at) => ({
        server: `replica ${at + 1}`,
        isUsable: this.#isUsable(replica),
        head: replica.watch.seen?.head,
        lagMs: this.#lagOf(replica),
      })),
    ]
  }

  get seenReads(): SeenReadStats {
    return this.#seenReads
  }

  async close(): Promise<void> {
    for (const { watch } of [this.#writer, ...this.#replicas]) watch.stop()
    const { writer, replicas } = this.#options
    await Promise.all([writer, ...replicas].map((server) => server.close()))
  }

  #watched({ keyedReads, listReads }: ServerReaders, isReplica: boolean): Watched {
    const watch = new HeadWatch(keyedReads, this.#options.logger)
    const server: WatchedServer = {
      isReplica,
      keyedReads: noticing(keyedReads, watch),
      listReads: noticing(listReads, watch),
      findHead: () => watch.seen?.head,
      poll: () => watch.poll(),
      readNewest: (of) => this.#readNewest(watch, of),
    }
    return { watch, server }
  }

  /** Starts with the first read: a process that only writes does not poll. */
  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    this.#writer.watch.start(() => this.#noteWritten())
    for (const { watch } of this.#replicas) watch.start()
  }

  #inTurn(servers: readonly Watched[]): Watched | undefined {
    return servers[this.#turn++ % Math.max(1, servers.length)]
  }

  #noteWritten(): void {
    const { seen } = this.#writer.watch
    if (seen?.head === undefined) return
    const { seqno } = seen.head
    const lowest = Math.min(...this.#replicas.map(({ watch }) => watch.seen?.head?.seqno ?? -1))
    const last = this.#written.at(-1)
    if (last !== undefined && seqno < last.seqno) this.#rewoundFrom = Math.max(this.#rewoundFrom, last.seqno)
    if (seqno >= this.#rewoundFrom) this.#rewoundFrom = 0
    // Blocks that were rewound no longer count.
    const kept = this.#written.filter((each) => each.seqno <= seqno && (each.seqno > lowest || each === last))
    this.#written =
      last !== undefined && last.seqno === seqno
        ? kept
        : [...kept, { seqno, firstSeenAt: seen.seenAt }].slice(-MAX_NOTED)
  }

  #isAnswering({ watch }: Watched): boolean {
    const { seen, isLost } = watch
    return seen !== undefined && !isLost && performance.now() - seen.seenAt <= this.#options.maxLagMs + GRACE_MS
  }

  #isUsable(replica: Watched): boolean {
    return this.#isAnswering(replica) && (this.#lagOf(replica) ?? 0) <= this.#options.maxLagMs
  }

  #lagOf({ watch: { seen } }: Watched): number | undefined {
    const writer = this.#writer.watch.seen
    if (seen === undefined) return undefined
    const seqno = seen.head?.seqno ?? -1
    if (writer?.head === undefined || seqno >= writer.head.seqno) return 0
    const missing = this.#written.find((each) => each.seqno > seqno)
    const waitedMs = missing === undefined ? 0 : performance.now() - missing.firstSeenAt
    return Math.max(waitedMs, writer.committedAtMs - seen.committedAtMs)
  }

  /** A server for reads that is known to have a block: a replica, or the writer where there are none. */
  #findAt(seqno: number): Watched | undefined {
    const servers = this.#replicas.length === 0 ? [this.#writer] : this.#replicas
    return this.#inTurn(servers.filter((server) => hasBlock(server, seqno) && this.#isAnswering(server)))
  }

  /** Whether the writer has a block and the replicas had time to get it. */
  #mayReadWriter(seqno: number, start: number): boolean {
    const { seen, isLost } = this.#writer.watch
    if (isLost || seen === undefined) return false
    // Whoever has seen a block above the writer's head has seen it before the writer was rewound.
    const isRewound = seen.seenAt >= start && seqno <= this.#rewoundFrom
    if (!isRewound && !hasBlock(this.#writer, seqno)) return false
    if (this.#waiting > MAX_WAITING || !this.#replicas.some((replica) => this.#isUsable(replica))) return true
    const writtenAt = this.#written.find((each) => each.seqno >= seqno)?.firstSeenAt ?? start
    return performance.now() - Math.min(start, writtenAt) >= REPLICA_MS
  }

  #isFarAhead(seqno: number): boolean {
    const newest = this.#findNewest()
    return newest !== undefined && seqno > newest + MAX_AHEAD
  }

  #refuse(seqno: number): IndexBehindError {
    this.#seenReads.refused++
    return new IndexBehindError(seqno, this.#findNewest())
  }

  /** The newest head of the servers that answer. */
  #findNewest(): number | undefined {
    const answering = [this.#writer, ...this.#replicas].filter((server) => this.#isAnswering(server))
    return answering.length === 0 ? undefined : Math.max(...answering.map(({ watch }) => watch.seen?.head?.seqno ?? 0))
  }

  /** Does not wait for a server that hangs. */
  async #pollAll(): Promise<void> {
    const polls = [this.#writer, ...this.#replicas].map(({ watch }) => watch.poll())
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, POLL_WAIT_MS)
    })
    await Promise.race([Promise.all(polls), late])
    clearTimeout(timer)
  }

  /** All reads that wait share the polls. */
  #pollSoon(): Promise<void> {
    this.#polling ??= delay(PAUSE_MS)
      .then(() => this.#pollAll())
      .finally(() => {
        this.#polling = undefined
      })
    return this.#polling
  }

  async #readNewest(own: HeadWatch, of: 'this' | 'any'): Promise<number> {
    // The writer has what a replica has shown.
    const { watch: writer } = this.#writer
    for (const watch of new Set(of === 'this' ? [own, writer] : [writer, own])) {
      await watch.pollAnew()
      if (!watch.isLost) return watch.seen?.head?.seqno ?? 0
    }
    throw new IndexBehindError(undefined, undefined)
  }
}

/** Maximum number of the writer's blocks to remember; with more, every replica is far behind. */
const MAX_NOTED = 10_000

/** Allowance for a slow poll. */
const GRACE_MS = 1000

/** How long a read waits for the replicas before it goes to the writer. */
const REPLICA_MS = 150

/** Interval of polls while reads wait, and the timeout of a poll. */
const PAUSE_MS = 15
const POLL_WAIT_MS = 50

/** Reads that wait at a time: they hold what other requests need. */
const MAX_WAITING = 32

/** A block so much above every head does not come within the wait. */
const MAX_AHEAD = 100

const hasBlock = ({ watch }: Watched, seqno: number): boolean => (watch.seen?.head?.seqno ?? 0) >= seqno

/** A reader that tells the watch when the server is gone. */
const noticing = (reader: Reader, watch: HeadWatch): Reader => ({
  get isDistributed() {
    return reader.isDistributed ?? false
  },
  read: async (query, timeoutMs) => {
    try {
      return await reader.read(query, timeoutMs)
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) watch.lose()
      throw error
    }
  },
})
