import type { CompiledQuery } from 'kysely'
import type { Logger } from '../../observe/Logger.ts'
import type { WorkerNode } from '../distributed/Shards.ts'
import { isMoved, type WorkerStatement } from '../distributed/workerStatements.ts'
import { DatabaseRefusedError, DatabaseTimeoutError, isLostConnection } from '../errors.ts'
import type { ConnectionStats, Reader } from './Database.ts'
import { type ConnectionSettings, openClient } from './openClient.ts'

/** The readers of one worker. */
export type WorkerReaders = {
  readonly keyedReads: Reader
  readonly listReads: Reader
  stats(server: string): readonly ConnectionStats[]
  close(): Promise<void>
}

export type WorkerReadsOptions = {
  /** The coordinator; workers are asked as the same user. */
  readonly settings: ConnectionSettings
  readonly logger: Logger
  readonly open: (url: string) => WorkerReaders
  /** A shard is not where it was. */
  readonly onMoved: () => void
}

type Link = {
  readers: WorkerReaders | undefined
  isOpening: boolean
  /** By `performance.now()`. */
  retryAt: number
  isTold: boolean
}

const RETRY_MS = 5000

type Row = Readonly<Record<string, unknown>>

/**
 * Reads from the workers of a Citus cluster themselves. Whatever a worker does not answer, the coordinator is asked: where this process
 * does not reach the workers, all of it.
 */
export class WorkerReads {
  readonly #options: WorkerReadsOptions
  readonly #links = new Map<string, Link>()
  #isClosed = false

  constructor(options: WorkerReadsOptions) {
    this.#options = options
  }

  /** `undefined` if one of the workers is not connected. `ask` asks the coordinator. */
  read(
    kind: 'keyedReads' | 'listReads',
    statements: readonly WorkerStatement[],
    ask: () => Promise<Row[]>,
  ): Promise<Row[]> | undefined {
    const readers: Reader[] = []
    for (const { worker } of statements) {
      const link = this.#find(worker)
      if (link.readers !== undefined) readers.push(link.readers[kind])
    }
    if (readers.length < statements.length) return undefined
    return this.#read(statements, readers).catch((error: unknown) => {
      if (error instanceof DatabaseTimeoutError) throw error
      this.#options.logger.debug('read from worker failed, asking the coordinator', { error })
      return ask()
    })
  }

  stats(): readonly ConnectionStats[] {
    return [...this.#links].flatMap(([name, { readers }]) => readers?.stats(`worker ${name}`) ?? [])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#links.values()].map(({ readers }) => readers?.close()))
  }

  async #read(statements: readonly WorkerStatement[], readers: readonly Reader[]): Promise<Row[]> {
    const readOne = async ({ worker, sql, parameters }: WorkerStatement, reader: Reader): Promise<Row[]> => {
      try {
        return await reader.read({ sql, parameters } as CompiledQuery<Row>)
      } catch (error) {
        if (isMoved(error)) this.#options.onMoved()
        else if (isLostConnection(error) || error instanceof DatabaseRefusedError) this.#leave(worker)
        throw error
      }
    }
    const [first] = statements
    if (statements.length === 1) return readOne(first!, readers[0]!)
    const found = await Promise.all(statements.map((statement, k) => readOne(statement, readers[k]!)))
    return found.flat()
  }

  #find({ host, port }: WorkerNode): Link {
    const name = `${host}:${port}`
    let link = this.#links.get(name)
    if (link === undefined) {
      link = { readers: undefined, isOpening: false, retryAt: 0, isTold: false }
      this.#links.set(name, link)
    }
    if (link.readers === undefined && !link.isOpening && performance.now() >= link.retryAt) {
      link.isOpening = true
      void this.#open(link, host, port)
    }
    return link
  }

  /** In the background: the address that the coordinator has for a worker may lead nowhere from here. */
  async #open(link: Link, host: string, port: number): Promise<void> {
    const { settings, logger, open } = this.#options
    const url = urlOfWorker(settings.url, host, port)
    try {
      const client = await openClient({ ...settings, url })
      await client.end()
      if (!this.#isClosed) link.readers = open(url)
      link.isTold = false
    } catch (error) {
      link.retryAt = performance.now() + RETRY_MS
      if (!link.isTold) logger.info('worker not reachable, reading through the coordinator', { host, port, error })
      link.isTold = true
    } finally {
      link.isOpening = false
    }
  }

  #leave({ host, port }: WorkerNode): void {
    const link = this.#links.get(`${host}:${port}`)
    if (link?.readers === undefined) return
    void link.readers.close()
    link.readers = undefined
    link.retryAt = performance.now() + RETRY_MS
  }
}

const urlOfWorker = (coordinator: string, host: string, port: number): string => {
  const url = new URL(coordinator.replace('@/', '@localhost/'))
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  return url.href
}
