import type { Duplex } from 'node:stream'
import pg from 'pg'
import { DatabaseTimeoutError, DatabaseUnavailableError, toDatabaseError } from '../../errors.ts'
import { type ConnectionSettings, openClient } from '../openClient.ts'
import { MessageReader, MessageWriter } from './messages.ts'
import { columnReader, findRowReader, type NamedColumn, type ReadRow } from './rows.ts'

export type WireOptions = ConnectionSettings & {
  /** How many statements stay prepared; the plan of one takes some hundred kilobytes where tables have many parts. */
  readonly maxStatements: number
}

type Row = Record<string, unknown>

type Columns = {
  readonly areBinary: readonly boolean[]
  readonly readRow: ReadRow
}

type Question = {
  readonly values: readonly unknown[]
  readonly resolve: (rows: Row[]) => void
  readonly reject: (error: unknown) => void
}

/** A statement as it is known to the server. */
type Statement = {
  readonly text: string
  readonly name: string
  /** `undefined` until the server has told them; meanwhile questions wait. */
  columns: Columns | undefined
  waiting: Question[]
}

/** What was sent and not yet answered to its end. */
type Exchange = {
  readonly sentAt: number
  readonly statement: Statement | undefined
  /** Without one, something that answers with no rows. */
  readonly question: Question | undefined
  readonly rows: Row[]
  columns: Columns | undefined
  failure: Error | undefined
}

const GRACE_MS = 5000
const CHECK_MS = 1000
const CLOSE_MS = 3000
/** So many places of those that are answered may be at the beginning of the list of all. */
const MAX_DONE = 500

const noColumns: Columns = { areBinary: [], readRow: () => ({}) }

/**
 * A connection over which questions go one behind the other, without waiting for answers. The driver makes it and logs in; from then
 * on what goes over it is written and read here: rows come in the form in which the server has them, statements are described
 * once, and nothing is made of a row but its object. That takes a third of the driver's time, and less of the server's.
 */
export class WireConnection {
  readonly #client: pg.Client
  readonly #stream: Duplex
  readonly #options: WireOptions
  readonly #writer = new MessageWriter()
  /** By text; the one that was used last is the last. */
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

  /** `onLost` is told once when it is gone. */
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

  /** How many questions have not been answered yet. */
  get inFlight(): number {
    return this.#exchanges.length - this.#first
  }

  ask<R>(text: string, values: readonly unknown[]): Promise<R[]> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) {
        reject(this.#lost)
        return
      }
      const question: Question = { values, resolve: resolve as (rows: Row[]) => void, reject }
      const statement = this.#find(text)
      if (statement.columns === undefined) statement.waiting.push(question)
      else this.#send(statement, statement.columns, question)
    })
  }

  /** Runs what has no values and no rows. It may be several statements. */
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

  /** Ends it when all that was asked is answered. */
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

  #send({ name }: Statement, columns: Columns, question: Question): void {
    this.#writer.bind(name, question.values, columns.areBinary)
    this.#writer.execute()
    this.#writer.sync()
    this.#flush()
    this.#expect(undefined, question).columns = columns
  }

  #expect(statement: Statement | undefined, question: Question | undefined): Exchange {
    const sentAt = performance.now()
    const exchange: Exchange = { sentAt, statement, question, rows: [], columns: undefined, failure: undefined }
    this.#exchanges.push(exchange)
    return exchange
  }

  /** What is asked in the same turn of the loop goes out in one piece. */
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
    const { statement, question, failure } = exchange
    if (statement !== undefined) this.#prepared(statement, exchange)
    else if (failure === undefined) question?.resolve(exchange.rows)
    else {
      // The tables are not what they were: the statement has to be prepared anew.
      if (/^(0A000|26000)$/.test(String((failure as { code?: unknown }).code))) this.#statements.clear()
      question?.reject(toDatabaseError(failure))
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
    for (const question of waiting) this.#send(statement, columns, question)
  }

  #lose(error: unknown): void {
    if (this.#lost !== undefined) return
    this.#lost = error
    clearInterval(this.#check)
    const left = this.#exchanges.slice(this.#first)
    this.#exchanges.length = 0
    this.#first = 0
    for (const { statement, question } of left) {
      question?.reject(error)
      for (const { reject } of statement?.waiting ?? []) reject(error)
    }
    this.#onIdle?.()
  }

  /** The server should have ended a statement by now. */
  #endDead(): void {
    const { statementTimeoutMs } = this.#options
    const oldest = this.#exchanges[this.#first]
    if (statementTimeoutMs === 0 || oldest === undefined) return
    // One that waited behind others began when they were done, which is not known here; nobody is a full minute behind.
    const allowedMs = (statementTimeoutMs + GRACE_MS) * Math.min(10, Math.max(1, this.inFlight))
    if (performance.now() - oldest.sentAt <= allowedMs) return
    this.#lose(new DatabaseTimeoutError('The database did not answer in time.'))
    this.#stream.destroy(new DatabaseUnavailableError('The database did not answer in time.'))
  }
}

/** Of each: its name, the table and the column there, the type, how long that is and what is special, the format. */
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

/** Parts with a letter each: what the server tells kinds of failures apart by, how bad it is, and its words. */
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
