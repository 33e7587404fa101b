import type { CompiledQuery } from 'kysely'
import { LruCache } from '../../primitives/LruCache.ts'
import { DatabaseTimeoutError, DatabaseUnavailableError, isLostConnection } from '../errors.ts'
import type { Reader } from './Database.ts'
import { WireConnection, type WireOptions } from './wire/WireConnection.ts'
import type { WirePool } from './wire/WirePool.ts'

/** A statement as it is prepared, and its values. */
type BoundStatement = { readonly text: string; readonly values: readonly unknown[] }

/** SQL text, and the indexes of the parameters that are its values. */
type Written = { readonly text: string; readonly given: readonly number[] }

/** A query in pieces: each gap between two of them takes the number of a value, or a literal number. */
type Template = {
  readonly pieces: readonly string[]
  /** For each gap, the index of its parameter and whether it is a row count. */
  readonly gaps: readonly { readonly at: number; readonly isCount: boolean }[]
  /** The texts by row counts. */
  readonly texts: LruCache<Written>
}

/** Maximum number of cached queries, and of cached texts per query. */
const MAX_TEMPLATES = 2000
const MAX_TEXTS = 200

const templates = new LruCache<Template>(MAX_TEMPLATES)

/**
 * The query as it is prepared. Planning a query over all partitions of a table takes longer than running it, so each is planned
 * once for all values. Row counts decide which plan is best, so they stay in the text as literals.
 */
export const toStatement = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): BoundStatement => {
  const template = findTemplate(sql)
  const { gaps, texts } = template
  let counts = ''
  for (const { at, isCount } of gaps) if (isCount) counts += `${isWhole(parameters[at]) ? parameters[at] : '?'} `
  let written = texts.find(counts)
  if (written === undefined) {
    written = write(template, parameters)
    texts.set(counts, written)
  }
  return { text: written.text, values: written.given.map((at) => parameters[at]) }
}

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value)

const findTemplate = (sql: string): Template => {
  const known = templates.find(sql)
  if (known !== undefined) return known
  const pieces: string[] = []
  const gaps: { at: number; isCount: boolean }[] = []
  let end = 0
  for (const match of sql.matchAll(/(\blimit |\boffset )?\$([0-9]+)/g)) {
    const [whole, word = '', number] = match
    pieces.push(sql.slice(end, match.index) + word)
    gaps.push({ at: Number(number) - 1, isCount: word !== '' })
    end = match.index + whole.length
  }
  const template = { pieces: [...pieces, sql.slice(end)], gaps, texts: new LruCache<Written>(MAX_TEXTS) }
  templates.set(sql, template)
  return template
}

const write = ({ pieces, gaps }: Template, parameters: readonly unknown[]): Written => {
  const given: number[] = []
  const numberOf = (at: number): string => {
    if (!given.includes(at)) given.push(at)
    return `$${given.indexOf(at) + 1}`
  }
  const filled = gaps.map(
    ({ at, isCount }, k) => `${pieces[k]}${isCount && isWhole(parameters[at]) ? parameters[at] : numberOf(at)}`,
  )
  return { text: filled.join('') + pieces.at(-1), given }
}

export type PipelinedOptions = WireOptions & {
  readonly connections: number
  /** Maximum number of queries in flight on one connection. */
  readonly maxInFlight: number
}

type Line = { connection: Promise<WireConnection> | undefined; inFlight: number }

/**
 * For keyed reads: queries are pipelined over a few connections, with prepared statements. Throughput is two to three times
 * higher, but a slow query delays those behind it.
 */
export class PipelinedReader implements Reader {
  readonly #options: PipelinedOptions
  readonly #lines: readonly Line[]
  #isClosed = false

  constructor(options: PipelinedOptions) {
    this.#options = options
    this.#lines = Array.from({ length: options.connections }, () => ({ connection: undefined, inFlight: 0 }))
  }

  async read<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    try {
      return await this.#ask(query)
    } catch (error) {
      if (!isLostConnection(error) || this.#isClosed) throw error
      return this.#ask(query)
    }
  }

  get stats(): { readonly open: number; readonly busy: number; readonly waiting: number } {
    const open = this.#lines.filter(({ connection }) => connection !== undefined).length
    const inFlight = this.#lines.reduce((sum, line) => sum + line.inFlight, 0)
    // The server works on the first query of each connection; the others wait.
    const busy = this.#lines.filter((line) => line.inFlight > 0).length
    return { open, busy, waiting: inFlight - busy }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#lines.map(async ({ connection }) => (await connection?.catch(() => undefined))?.close()))
  }

  async #ask<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    const line = this.#lines.reduce((least, each) => (each.inFlight < least.inFlight ? each : least))
    if (line.inFlight >= this.#options.maxInFlight || this.#isClosed) {
      throw new DatabaseUnavailableError(
        this.#isClosed ? 'The database was closed.' : 'Too many queries are waiting for the database.',
      )
    }
    line.inFlight++
    try {
      const connection = await this.#connect(line)
      const { text, values } = toStatement(query)
      return await connection.ask<Row>(text, values)
    } finally {
      line.inFlight--
    }
  }

  #connect(line: Line): Promise<WireConnection> {
    if (line.connection !== undefined) return line.connection
    const forget = (): void => {
      if (line.connection === opening) line.connection = undefined
    }
    const opening = WireConnection.open(this.#options, forget)
    opening.catch(forget)
    line.connection = opening
    return opening
  }
}

/** For list reads: each query has a connection of its own, so a slow one delays nobody. */
export const createPooledReader = (pool: WirePool): Reader => {
  const ask = <Row>(statement: BoundStatement, timeoutMs: number | undefined): Promise<Row[]> =>
    pool.use((connection) =>
      timeoutMs === undefined
        ? connection.ask<Row>(statement.text, statement.values)
        : askWithin<Row>(connection, timeoutMs, statement),
    )
  return {
    read: async <Row>(query: CompiledQuery<Row>, timeoutMs?: number): Promise<Row[]> => {
      const statement = toStatement(query)
      try {
        return await ask<Row>(statement, timeoutMs)
      } catch (error) {
        if (!isLostConnection(error) || pool.isClosed) throw error
        return ask<Row>(statement, timeoutMs)
      }
    },
  }
}

/** A timeout set in a transaction ends with it, so the next query on the connection has the default again. */
const askWithin = async <Row>(
  connection: WireConnection,
  timeoutMs: number,
  { text, values }: BoundStatement,
): Promise<Row[]> => {
  await connection.run(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`)
  try {
    return await connection.ask<Row>(text, values)
  } finally {
    // After a failure COMMIT rolls back. If even that fails the connection is lost, and the next query will report it.
    await connection.run('COMMIT').catch(() => undefined)
  }
}

/** The deadline of one caller for all its reads together. */
export class ReadDeadline {
  private readonly timeoutMs: number
  private readonly endsAt: number
  /** Set by the timer, which may fire a moment before the clock says so. */
  private isOver = false

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs
    this.endsAt = performance.now() + timeoutMs
  }

  get leftMs(): number {
    return this.isOver ? 0 : Math.max(0, this.endsAt - performance.now())
  }

  /** The result of a read, unless the deadline comes first. A read shared with other callers goes on for them. */
  async wait<T>(read: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.isOver = true
        reject(this.error())
      }, this.leftMs)
    })
    try {
      return await Promise.race([read, late])
    } catch (error) {
      // The server may notice first that the time is up.
      throw error instanceof DatabaseTimeoutError ? this.error() : error
    } finally {
      clearTimeout(timer)
    }
  }

  error(): DatabaseTimeoutError {
    return new DatabaseTimeoutError(`The database did not answer within ${this.timeoutMs} ms.`)
  }
}

/** A reader with a deadline. Batching uses the shared reader behind it, so the caller's keys are still batched. */
export const boundReader = (reader: Reader, deadline: ReadDeadline): Reader => ({
  behind: reader,
  isDistributed: reader.isDistributed ?? false,
  wait: (read) => deadline.wait(read),
  read: async <Row>(query: CompiledQuery<Row>, ownMs?: number): Promise<Row[]> => {
    const { leftMs } = deadline
    if (leftMs === 0) throw deadline.error()
    return deadline.wait(reader.read(query, Math.max(1, Math.min(ownMs ?? leftMs, leftMs))))
  },
})
