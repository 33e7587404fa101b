import type { Duplex } from 'node:stream'
import pg from 'pg'
import { DatabaseTimeoutError, DatabaseUnavailableError, toDatabaseError } from '../../errors.ts'
import { type ConnectionSettings, openClient } from '../openClient.ts'
import { MessageReader, MessageWriter } from './messages.ts'
import { columnReader, findRowReader, type NamedColumn, type ReadRow } from './rows.ts'

export type WireOptions = ConnectionSettings & {
  /** Maximum number of prepared statements; a plan takes some hundred kilobytes on tables with many partitions. */
  readonly maxStatements: number
}

type Row = Record<string, unknown>

type Columns = {
  readonly areBinary: readonly boolean[]
  readonly readRow: ReadRow
}

type PendingQuery = {
  readonly values: readonly unknown[]
  readonly resolve: (rows: Row[]) => void
  readonly reject: (error: unknown) => void
}

/** A prepared statement. */
type Statement = {
  readonly text: string
  readonly name: string
  /** `undefined` until the server has described the columns; queries wait until then. */
  columns: Columns | undefined
  waiting: PendingQuery[]
}

/** A message sent whose response is not complete yet. */
type Exchange = {
  readonly sentAt: number
  readonly statement: Statement | undefined
  /** `undefined` for statements without rows. */
  readonly query: PendingQuery | undefined
  readonly rows: Row[]
  columns: Columns | undefined
  failure: Error | undefined
}

const GRACE_MS = 5000
const CHECK_MS = 1000
const CLOSE_MS = 3000
/** Maximum number of completed exchanges at the start of the list before it is compacted. */
const MAX_DONE = 500

const noColumns: Columns = { areBinary: [], readRow: () => ({}) }

/**
 * A pipelined connection: queries go out without waiting for results. The driver connects and logs in; from then on this class
 * writes and reads the protocol. Rows arrive in binary, statements are described once, and a row becomes one object. This takes a
 * third of the driver's CPU time, and less of the server's.
 */
export class WireConnection {
  readonly #client: pg.Client
  readonly #stream: Duplex
  readonly #options: WireOptions
  readonly #writer = new MessageWriter()
  /** By text, least recently used first. */
  readonly #statements = new Map<string, Statement>()
  readonly #exchanges: Exchange[] = []
  readonly #check: NodeJS.Timeout
  #first = 0
  #named = 0
  #isSending = false
  #lost: unknown
  #onIdle: (() => void) | undefined

  private constructor(client: pg.Client, options: WireOptions) {
    this.#client = client
    this.#options = options
    this.#stream = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream
    const reader = new MessageReader((letter, bytes, at, end) => this.#take(letter, bytes, at, end))
    this.#stream.removeAllListeners('data')
    this.#stream.on('data', (chunk: Buffer) => {
      try {
        reader.take(chunk)
      } catch (error) {
        this.#stream.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    })
    this.#check = setInterval(() => this.#endDead(), CHECK_MS).unref()
  }

  /** `onLost` is called once when the connection is lost. */
  static async open(options: WireOptions, onLost: (error: unknown) => void): Promise<WireConnection> {
    let connection: WireConnection | undefined
    let early: unknown
    const client = await openClient(options, (error) => {
      early = error
      if (connection !== undefined) connection.#lose(error)
      onLost(error)
    })
    connection = new WireConnection(client, options)
    if (early !== undefined) connection.#lose(early)
    return connection
  }

  /** Number of queries in flight. */
  get inFlight(): number {
    return this.#exchanges.length - this.#first
  }

  ask<R>(text: string, values: readonly unknown[]): Promise<R[]> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) {
        reject(this.#lost)
        return
      }
      const query: PendingQuery = { values, resolve: resolve as (rows: Row[]) => void, reject }
      const statement = this.#find(text)
      if (statement.columns === undefined) statement.waiting.push(query)
      else this.#send(statement, statement.columns, query)
    })
  }

  /** Runs one or several statements without values or rows. */
  run(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) {
        reject(this.#lost)
        return
      }
      this.#writer.query(text)
      this.#flush()
      this.#expect(undefined, { values: [], resolve: () => resolve(), reject })
    })
  }

  /** Closes the connection after all queries in flight. */
  async close(): Promise<void> {
    if (this.inFlight > 0 && this.#lost === undefined) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
        setTimeout(resolve, CLOSE_MS).unref()
      })
    }
    clearInterval(this.#check)
    await this.#client.end().catch(() => undefined)
  }

  #find(text: string): Statement {
    const known = this.#statements.get(text)
    if (known !== undefined) {
      this.#statements.delete(text)
      this.#statements.set(text, known)
      return known
    }
    this.#forgetOldest()
    const statement: Statement = { text, name: `s${this.#named++}`, columns: undefined, waiting: [] }
    this.#statements.set(text, statement)
    this.#writer.parse(statement.name, text)
    this.#writer.describeStatement(statement.name)
    this.#writer.sync()
    this.#flush()
    this.#expect(statement, undefined)
    return statement
  }

  #forgetOldest(): void {
    if (this.#statements.size < this.#options.maxStatements) return
    for (const statement of this.#statements.values()) {
      if (statement.columns === undefined) continue
      this.#statements.delete(statement.text)
      this.#writer.closeStatement(statement.name)
      return
    }
  }

  #send({ name }: Statement, columns: Columns, query: PendingQuery): void {
    this.#writer.bind(name, query.values, columns.areBinary)
    this.#writer.execute()
    this.#writer.sync()
    this.#flush()
    this.#expect(undefined, query).columns = columns
  }

  #expect(statement: Statement | undefined, query: PendingQuery | undefined): Exchange {
    const sentAt = performance.now()
    const exchange: Exchange = { sentAt, statement, query, rows: [], columns: undefined, failure: undefined }
    this.#exchanges.push(exchange)
    return exchange
  }

  /** Queries of the same tick go out in one write. */
  #flush(): void {
    if (this.#isSending) return
    this.#isSending = true
    queueMicrotask(() => {
      this.#isSending = false
      if (this.#lost === undefined) this.#stream.write(this.#writer.take())
    })
  }

  #take(letter: string, bytes: Buffer, at: number, end: number): void {
    const exchange = this.#exchanges[this.#first]
    if (exchange === undefined) return
    switch (letter) {
      case 'D':
        exchange.rows.push((exchange.columns ?? noColumns).readRow(bytes, at))
        return
      case 'T':
        if (exchange.statement !== undefined) exchange.columns = readColumns(bytes, at)
        return
      case 'E':
        exchange.failure ??= readFailure(bytes, at, end)
        return
      case 'Z':
        this.#finish(exchange)
    }
  }

  #finish(exchange: Exchange): void {
    this.#exchanges[this.#first++] = undefined as unknown as Exchange
    if (this.#first === this.#exchanges.length || this.#first > MAX_DONE) {
      this.#exchanges.splice(0, this.#first)
      this.#first = 0
    }
    const { statement, query, failure } = exchange
    if (statement !== undefined) this.#prepared(statement, exchange)
    else if (failure === undefined) query?.resolve(exchange.rows)
    else {
      // The tables have changed: statements have to be prepared again.
      if (/^(0A000|26000)$/.test(String((failure as { code?: unknown }).code))) this.#statements.clear()
      query?.reject(toDatabaseError(failure))
    }
    if (this.#exchanges.length === 0) this.#onIdle?.()
  }

  #prepared(statement: Statement, { failure, columns = noColumns }: Exchange): void {
    const { waiting } = statement
    statement.waiting = []
    if (failure !== undefined) {
      this.#statements.delete(statement.text)
      for (const { reject } of waiting) reject(toDatabaseError(failure))
      return
    }
    statement.columns = columns
    for (const query of waiting) this.#send(statement, columns, query)
  }

  #lose(error: unknown): void {
    if (this.#lost !== undefined) return
    this.#lost = error
    clearInterval(this.#check)
    const left = this.#exchanges.slice(this.#first)
    this.#exchanges.length = 0
    this.#first = 0
    for (const { statement, query } of left) {
      query?.reject(error)
      for (const { reject } of statement?.waiting ?? []) reject(error)
    }
    this.#onIdle?.()
  }

  /** Destroys the connection if the server should have ended a statement by now. */
  #endDead(): void {
    const { statementTimeoutMs } = this.#options
    const oldest = this.#exchanges[this.#first]
    if (statementTimeoutMs === 0 || oldest === undefined) return
    // A query that waited behind others started when they were done, at a time not known here; no query is a full minute behind.
    const allowedMs = (statementTimeoutMs + GRACE_MS) * Math.min(10, Math.max(1, this.inFlight))
    if (performance.now() - oldest.sentAt <= allowedMs) return
    this.#lose(new DatabaseTimeoutError('The database did not answer in time.'))
    this.#stream.destroy(new DatabaseUnavailableError('The database did not answer in time.'))
  }
}

/** For each column: name, table, column number, type, length, modifier, format. */
const readColumns = (bytes: Buffer, start: number): Columns => {
  const [named, areBinary]: [NamedColumn[], boolean[]] = [[], []]
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left--) {
    const end = bytes.indexOf(0, at)
    const type = bytes.readInt32BE(end + 7)
    const { isBinary, read } = columnReader(type)
    named.push({ name: bytes.toString('utf8', at, end), type, read })
    areBinary.push(isBinary)
    at = end + 19
  }
  return { areBinary, readRow: findRowReader(named) }
}

/** Error fields, each with a letter: SQLSTATE, severity, message. */
const readFailure = (bytes: Buffer, start: number, end: number): Error => {
  const parts = new Map<string, string>()
  for (let at = start; at < end && bytes[at] !== 0; ) {
    const stop = bytes.indexOf(0, at)
    parts.set(String.fromCharCode(bytes[at]!), bytes.toString('utf8', at + 1, stop))
    at = stop + 1
  }
  const failure = new pg.DatabaseError(parts.get('M') ?? 'The server failed.', end - start, 'error')
  return Object.assign(failure, { code: parts.get('C'), severity: parts.get('S'), detail: parts.get('D') })
}
