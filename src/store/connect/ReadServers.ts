import type { Logger } from '../../observe/Logger.ts'
import { DatabaseUnavailableError } from '../errors.ts'
import {
  HeadWatch,
  type IndexHead,
  type Reader,
  type ReadServer,
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
 * long, is skipped until it has caught up; if none is left, the writer is read.
 */
export class ReadServers {
  readonly #options: ReadServersOptions
  readonly #writer: Watched
  readonly #replicas: readonly Watched[]
  /** Blocks of the writer that some replica does not have yet, oldest first. */
  #written: Written[] = []
  #turn = 0
  #isWatching = false

  constructor(options: ReadServersOptions) {
    this.#options = options
    this.#writer = watched(options.writer, options.logger)
    this.#replicas = options.replicas.map((replica) => watched(replica, options.logger))
  }

  /** The next server to read from. */
  next(): WatchedServer {
    this.#watch()
    const usable = this.#replicas.filter((replica) => this.#isUsable(replica))
    return (usable[this.#turn++ % Math.max(1, usable.length)] ?? this.#writer).server
  }

  get stats(): readonly ServerStats[] {
    const { watch } = this.#writer
    return [
      { server: 'writer', isUsable: watch.seen !== undefined && !watch.isLost, head: watch.seen?.head },
      ...this.#replicas.map((replica, at) => ({
        server: `replica ${at + 1}`,
        isUsable: this.#isUsable(replica),
        head: replica.watch.seen?.head,
      })),
    ]
  }

  async close(): Promise<void> {
    for (const { watch } of [this.#writer, ...this.#replicas]) watch.stop()
    const { writer, replicas } = this.#options
    await Promise.all([writer, ...replicas].map((server) => server.close()))
  }

  /** Starts with the first read: a process that only writes does not poll. */
  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    this.#writer.watch.start(() => this.#noteWritten())
    for (const { watch } of this.#replicas) watch.start()
  }

  #noteWritten(): void {
    const { seen, isLost } = this.#writer.watch
    if (seen?.head === undefined || isLost) return
    const { seqno } = seen.head
    const lowest = Math.min(...this.#replicas.map(({ watch }) => watch.seen?.head?.seqno ?? -1))
    const last = this.#written.at(-1)
    // Blocks that were rewound no longer count.
    const kept = this.#written.filter((each) => each.seqno <= seqno && each.seqno > lowest)
    this.#written =
      last !== undefined && last.seqno === seqno
        ? kept
        : [...kept, { seqno, firstSeenAt: seen.seenAt }].slice(-MAX_NOTED)
  }

  #isUsable({ watch }: Watched): boolean {
    const { maxLagMs } = this.#options
    const { seen } = watch
    if (seen === undefined || watch.isLost) return false
    const now = performance.now()
    if (now - seen.seenAt > maxLagMs + GRACE_MS) return false
    const writer = this.#writer.watch.seen
    const seqno = seen.head?.seqno ?? -1
    if (writer?.head === undefined || seqno >= writer.head.seqno) return true
    const missing = this.#written.find((each) => each.seqno > seqno)
    const waitedMs = missing === undefined ? 0 : now - missing.firstSeenAt
    return Math.max(waitedMs, writer.committedAtMs - seen.committedAtMs) <= maxLagMs
  }
}

/** Maximum number of the writer's blocks to remember; with more, every replica is far behind. */
const MAX_NOTED = 10_000

/** Allowance for a slow poll. */
const GRACE_MS = 1000

const watched = ({ keyedReads, listReads }: ServerReaders, logger: Logger): Watched => {
  const watch = new HeadWatch(keyedReads, logger)
  const noticing = (reader: Reader): Reader => ({
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
  const findHead = (): IndexHead | undefined => watch.seen?.head
  return {
    watch,
    server: { keyedReads: noticing(keyedReads), listReads: noticing(listReads), findHead, poll: () => watch.poll() },
  }
}
