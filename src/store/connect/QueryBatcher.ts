import type { CompiledQuery } from 'kysely'
import { findTracer, type Span } from '../../observe/Tracer.ts'
import { DatabaseUnavailableError } from '../errors.ts'
import type { Reader } from './Database.ts'

/** A query by a list of keys whose rows tell which key they belong to. */
type KeyedQuery<Key, Row> = {
  readonly queryOf: (keys: readonly Key[], reader: Reader) => CompiledQuery<Row>
  /** The identity of a key, as text. */
  readonly textOf: (key: Key) => string
  /** The text of a row's key; `keys` are those of the statement. */
  readonly textOfRow: (row: Row, keys: readonly Key[]) => string
  /** Picks the rows of one caller from those of the whole batch; by default, the rows of its keys in turn. */
  readonly pick?: (texts: readonly string[], rowsOf: (text: string) => readonly Row[]) => Row[]
}

export type BatchLimits = {
  /** Longer key lists are not batched. */
  readonly maxOwn: number
  /** Maximum number of keys in one statement. */
  readonly maxKeys: number
  /** Maximum number of statements in flight. */
  readonly maxInFlight: number
  /** A statement that takes longer no longer counts against `maxInFlight`. */
  readonly slowMs: number
}

const defaults: BatchLimits = { maxOwn: 256, maxKeys: 1024, maxInFlight: 1, slowMs: 50 }

type Waiting<Key, Row> = {
  readonly keys: readonly Key[]
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
  /** Of its request, where that is traced. */
  readonly span: Span | undefined
}

const NONE: readonly never[] = []

/**
 * Batches the reads of several callers into one statement: on a partitioned table, starting a statement costs more than finding
 * one more row. Callers that arrive while a statement is in flight wait for the next one, which serves all of them; without
 * concurrent callers nobody waits. Rows wanted by several callers are the same objects.
 */
export class QueryBatcher<Key, Row> {
  readonly #reader: Reader
  readonly #query: KeyedQuery<Key, Row>
  readonly #limits: BatchLimits
  readonly #tracer = findTracer()
  #waiting: Waiting<Key, Row>[] = []
  #inFlight = 0
  #isDue = false

  constructor(reader: Reader, query: KeyedQuery<Key, Row>, limits: Partial<BatchLimits> = {}) {
    this.#reader = reader
    this.#query = query
    this.#limits = { ...defaults, ...limits }
  }

  /** The rows of these keys, in no particular order. */
  load(keys: readonly Key[]): Promise<readonly Row[]> {
    if (keys.length === 0) return Promise.resolve(NONE)
    if (keys.length > this.#limits.maxOwn) return this.#read(keys)
    const span = this.#tracer?.current() && this.#tracer.start('batched read')
    const rows = new Promise<readonly Row[]>((resolve, reject) => {
      this.#waiting.push({ keys, resolve, reject, span })
      this.#schedule()
    })
    if (span !== undefined)
      rows.then(
        () => span.end(),
        (error: unknown) => span.end(error),
      )
    return rows
  }

  #read(keys: readonly Key[]): Promise<Row[]> {
    return this.#reader.read(this.#query.queryOf(keys, this.#reader))
  }

  /** Starts the next statement after all pending I/O events were handled: they may bring more callers of the same query. */
  #schedule(): void {
    if (this.#isDue || this.#waiting.length === 0 || this.#inFlight >= this.#limits.maxInFlight) return
    this.#isDue = true
    afterPendingEvents(this.#runDue)
  }

  readonly #runDue = (): void => {
    this.#isDue = false
    if (this.#inFlight < this.#limits.maxInFlight) void this.#runNext()
  }

  async #runNext(): Promise<void> {
    const callers = this.#takeNext()
    if (callers.length === 0) return
    this.#inFlight++
    let counts = true
    const leave = (): void => {
      if (!counts) return
      counts = false
      this.#inFlight--
      this.#schedule()
    }
    const slow = setTimeout(leave, this.#limits.slowMs)
    // The waiting callers may not fit into one statement.
    this.#schedule()
    const [first] = callers
    const serve = (): Promise<void> => (callers.length === 1 ? this.#serve(first!) : this.#serveAll(callers))
    await (this.#tracer === undefined ? serve() : this.#runTraced(callers, serve))
    clearTimeout(slow)
    leave()
  }

  /** The statement is a part of the first trace; the others point there. */
  #runTraced(callers: readonly Waiting<Key, Row>[], serve: () => Promise<void>): Promise<void> {
    const [first, ...others] = callers.flatMap(({ span }) => span ?? [])
    if (first === undefined) return serve()
    for (const span of [first, ...others]) span.set({ 'chaincenter.batch.callers': callers.length })
    for (const span of others) span.link(first)
    return this.#tracer!.run(first, serve)
  }

  #takeNext(): Waiting<Key, Row>[] {
    let [count, keys] = [0, 0]
    for (const each of this.#waiting) {
      keys += each.keys.length
      if (count > 0 && keys > this.#limits.maxKeys) break
      count++
    }
    return this.#waiting.splice(0, count)
  }

  async #serve({ keys, resolve, reject }: Waiting<Key, Row>): Promise<void> {
    try {
      resolve(await this.#read(keys))
    } catch (error) {
      reject(error)
    }
  }

  async #serveAll(callers: readonly Waiting<Key, Row>[]): Promise<void> {
    const { textOf, textOfRow, pick = pickOwn } = this.#query
    const found = new Map<string, Row[]>()
    const keyList: Key[] = []
    try {
      const texts = callers.map((caller) =>
        caller.keys.map((key) => {
          const text = textOf(key)
          if (!found.has(text)) {
            found.set(text, [])
            keyList.push(key)
          }
          return text
        }),
      )
      for (const row of await this.#read(keyList)) {
        const text = textOfRow(row, keyList)
        const rows = found.get(text)
        if (rows !== undefined) rows.push(row)
        // Of a key that nobody asked for: `pick` may take it.
        else found.set(text, [row])
      }
      const rowsOf = (text: string): readonly Row[] => found.get(text) ?? NONE
      for (const [k, { resolve }] of callers.entries()) resolve(pick(texts[k]!, rowsOf))
    } catch (error) {
      await this.#fail(callers, error)
    }
  }

  /** If the database is reachable, one caller's keys may have failed the batch for the others: run each by itself. */
  async #fail(callers: readonly Waiting<Key, Row>[], error: unknown): Promise<void> {
    if (error instanceof DatabaseUnavailableError) for (const { reject } of callers) reject(error)
    else await Promise.all(callers.map((caller) => this.#serve(caller)))
  }
}

let due: (() => void)[] = []

/**
 * Calls back after pending I/O events were handled. All callbacks of one tick run together, so that their statements go out in
 * one write.
 */
const afterPendingEvents = (ask: () => void): void => {
  due.push(ask)
  if (due.length > 1) return
  setImmediate(() => {
    const all = due
    due = []
    for (const each of all) each()
  })
}

const pickOwn = <Row>(texts: readonly string[], rowsOf: (text: string) => readonly Row[]): Row[] => {
  const own: Row[] = []
  // A key that is given twice has its rows once.
  for (const text of texts.length > 1 ? new Set(texts) : texts) for (const row of rowsOf(text)) own.push(row)
  return own
}

/** Reads the rows of some keys, in any order, batched with concurrent reads of the same reader. */
export type ReadKeyed<Key, Row> = (reader: Reader, keys: readonly Key[]) => Promise<readonly Row[]>

/** Batches concurrent calls of a query by key into one statement. Batches are per server. */
export const batchReads = <Key, Row>(
  query: KeyedQuery<Key, Row>,
  limits?: Partial<BatchLimits>,
): ReadKeyed<Key, Row> => {
  const byReader = new WeakMap<Reader, QueryBatcher<Key, Row>>()
  return (reader, keys) => {
    const shared = reader.behind ?? reader
    let batcher = byReader.get(shared)
    if (batcher === undefined) {
      batcher = new QueryBatcher(shared, query, limits)
      byReader.set(shared, batcher)
    }
    const rows = batcher.load(keys)
    return reader.wait === undefined ? rows : reader.wait(rows)
  }
}

/** A read that is under way, and the one that begins after it. */
type SharedRead<Row> = { current: Promise<readonly Row[]>; next: Promise<readonly Row[]> | undefined }

/**
 * Callers with the same key share one read. A read that is under way began before a caller came, so it is not shared with it: the
 * next one is.
 */
export const shareReads = <Row>(): ((
  reader: Reader,
  key: string,
  read: (shared: Reader) => Promise<readonly Row[]>,
) => Promise<readonly Row[]>) => {
  const byReader = new WeakMap<Reader, Map<string, SharedRead<Row>>>()
  return (reader, key, read) => {
    const shared = reader.behind ?? reader
    const reads = byReader.get(shared) ?? new Map<string, SharedRead<Row>>()
    byReader.set(shared, reads)
    const rows = joinRead(reads, key, () => read(shared))
    return reader.wait === undefined ? rows : reader.wait(rows)
  }
}

const joinRead = <Row>(
  reads: Map<string, SharedRead<Row>>,
  key: string,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const known = reads.get(key)
  if (known !== undefined) {
    const begin = (): Promise<readonly Row[]> => follow(reads, key, known, read)
    known.next ??= known.current.then(begin, begin)
    return known.next
  }
  const begun: SharedRead<Row> = { current: read(), next: undefined }
  reads.set(key, begun)
  forgetAfter(reads, key, begun)
  return begun.current
}

/** Begins the next read: it is the one under way from now on. */
const follow = <Row>(
  reads: Map<string, SharedRead<Row>>,
  key: string,
  known: SharedRead<Row>,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  known.current = read()
  known.next = undefined
  forgetAfter(reads, key, known)
  return known.current
}

const forgetAfter = <Row>(reads: Map<string, SharedRead<Row>>, key: string, known: SharedRead<Row>): void => {
  const { current } = known
  const forget = (): void => {
    if (known.next === undefined && known.current === current) reads.delete(key)
  }
  current.then(forget, forget)
}
