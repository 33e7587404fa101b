import type { CompiledQuery } from 'kysely'
import { DatabaseUnavailableError } from '../errors.ts'
import type { Reader } from './Database.ts'

/** A kind of question that is asked by a list of keys, and gives rows that tell which key they are of. */
type KeyedQuestion<Key, Row> = {
  readonly queryOf: (keys: readonly Key[]) => CompiledQuery<Row>
  /** What tells keys apart. */
  readonly textOf: (key: Key) => string
  /** The text of the key that a row is of; `keys` are those that the statement had. */
  readonly textOfRow: (row: Row, keys: readonly Key[]) => string
  /** The rows of one caller, from those of all who were asked for; without it, those of its keys in turn. */
  readonly pick?: (texts: readonly string[], rowsOf: (text: string) => readonly Row[]) => Row[]
}

export type JoinLimits = {
  /** Lists that are longer go by themselves. */
  readonly maxOwn: number
  /** How many keys a statement has at most. */
  readonly maxKeys: number
  /** How many statements are under way at once. */
  readonly maxUnderWay: number
  /** Those that take longer do not hold up others. */
  readonly slowMs: number
}

const defaults: JoinLimits = { maxOwn: 256, maxKeys: 1024, maxUnderWay: 1, slowMs: 50 }

type Waiting<Key, Row> = {
  readonly keys: readonly Key[]
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
}

const NONE: readonly never[] = []

/**
 * Asks what several callers want to know in one statement. A statement over a divided table takes longer to begin than to find a
 * row more. Whoever comes while one is under way waits for the next, which is for all who wait then; where nobody asks, nobody
 * waits. Rows that several callers want are the same objects.
 */
export class JoinedReads<Key, Row> {
  readonly #reader: Reader
  readonly #question: KeyedQuestion<Key, Row>
  readonly #limits: JoinLimits
  #waiting: Waiting<Key, Row>[] = []
  #underWay = 0
  #isDue = false

  constructor(reader: Reader, question: KeyedQuestion<Key, Row>, limits: Partial<JoinLimits> = {}) {
    this.#reader = reader
    this.#question = question
    this.#limits = { ...defaults, ...limits }
  }

  /** The rows of these keys. In which order is not said. */
  load(keys: readonly Key[]): Promise<readonly Row[]> {
    if (keys.length === 0) return Promise.resolve(NONE)
    if (keys.length > this.#limits.maxOwn) return this.#ask(keys)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ keys, resolve, reject })
      this.#goOn()
    })
  }

  #ask(keys: readonly Key[]): Promise<Row[]> {
    return this.#reader.read(this.#question.queryOf(keys))
  }

  /** Not before all that has arrived at the process was looked at: it may bring others who ask the same. */
  #goOn(): void {
    if (this.#isDue || this.#waiting.length === 0 || this.#underWay >= this.#limits.maxUnderWay) return
    this.#isDue = true
    afterArrivals(this.#askDue)
  }

  readonly #askDue = (): void => {
    this.#isDue = false
    if (this.#underWay < this.#limits.maxUnderWay) void this.#askNext()
  }

  async #askNext(): Promise<void> {
    const callers = this.#takeNext()
    if (callers.length === 0) return
    this.#underWay++
    let counts = true
    const leave = (): void => {
      if (!counts) return
      counts = false
      this.#underWay--
      this.#goOn()
    }
    const slow = setTimeout(leave, this.#limits.slowMs)
    // There may be more who wait than fit into one.
    this.#goOn()
    const [first] = callers
    await (callers.length === 1 ? this.#answer(first!) : this.#answerAll(callers))
    clearTimeout(slow)
    leave()
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

  async #answer({ keys, resolve, reject }: Waiting<Key, Row>): Promise<void> {
    try {
      resolve(await this.#ask(keys))
    } catch (error) {
      reject(error)
    }
  }

  async #answerAll(callers: readonly Waiting<Key, Row>[]): Promise<void> {
    const { textOf, pick = pickOwn } = this.#question
    const keys = new Map<string, Key>()
    try {
      const texts = callers.map((caller) =>
        caller.keys.map((key) => {
          const text = textOf(key)
          if (!keys.has(text)) keys.set(text, key)
          return text
        }),
      )
      const asked = [...keys.values()]
      const byText = this.#sort(await this.#ask(asked), asked)
      const rowsOf = (text: string): readonly Row[] => byText.get(text) ?? NONE
      for (const [k, { resolve }] of callers.entries()) resolve(pick(texts[k]!, rowsOf))
    } catch (error) {
      await this.#fail(callers, error)
    }
  }

  #sort(rows: readonly Row[], asked: readonly Key[]): Map<string, Row[]> {
    const { textOfRow } = this.#question
    const byText = new Map<string, Row[]>()
    for (const row of rows) {
      const text = textOfRow(row, asked)
      const others = byText.get(text)
      if (others === undefined) byText.set(text, [row])
      else others.push(row)
    }
    return byText
  }

  /** Where the database is there, one question may have spoilt it for the others: each is asked by itself then. */
  async #fail(callers: readonly Waiting<Key, Row>[], error: unknown): Promise<void> {
    if (error instanceof DatabaseUnavailableError) for (const { reject } of callers) reject(error)
    else await Promise.all(callers.map((caller) => this.#answer(caller)))
  }
}

let due: (() => void)[] = []

/** Calls back when all that has arrived was looked at; all who wait for that in one turn, so that what they ask goes out in one piece. */
const afterArrivals = (ask: () => void): void => {
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

/** Reads the rows of some keys, in any order, in one statement with what others ask of the same reader meanwhile. */
export type ReadKeyed<Key, Row> = (reader: Reader, keys: readonly Key[]) => Promise<readonly Row[]>

/** A way to ask a question so that those of several callers become one. What is asked of one server stays with that server. */
export const joinReads = <Key, Row>(
  question: KeyedQuestion<Key, Row>,
  limits?: Partial<JoinLimits>,
): ReadKeyed<Key, Row> => {
  const byReader = new WeakMap<Reader, JoinedReads<Key, Row>>()
  return (reader, keys) => {
    const shared = reader.behind ?? reader
    let joined = byReader.get(shared)
    if (joined === undefined) {
      joined = new JoinedReads(shared, question, limits)
      byReader.set(shared, joined)
    }
    const rows = joined.load(keys)
    return reader.wait === undefined ? rows : reader.wait(rows)
  }
}
