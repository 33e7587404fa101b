import type { CompiledQuery } from 'kysely'
import { DatabaseUnavailableError } from '../errors.ts'
import type { Reader } from './Reader.ts'
import { toStatement } from './toStatement.ts'
import { WireConnection, type WireOptions } from './wire/WireConnection.ts'

export type PipelinedOptions = WireOptions & {
  readonly connections: number
  /** How many questions may be under way on one connection. */
  readonly maxInFlight: number
}

type Line = { connection: Promise<WireConnection> | undefined; inFlight: number }

/**
 * For single rows by key: questions go out one after the other without waiting for answers, over few connections, and their
 * statements are prepared. Twice to three times as many get through; but one that is slow holds up those behind it.
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
      if (!(error instanceof DatabaseUnavailableError) || this.#isClosed) throw error
      return this.#ask(query)
    }
  }

  get figures(): { readonly open: number; readonly busy: number; readonly waiting: number } {
    const open = this.#lines.filter(({ connection }) => connection !== undefined).length
    const inFlight = this.#lines.reduce((sum, line) => sum + line.inFlight, 0)
    // The first on each connection is being answered, those behind it wait.
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
        this.#isClosed ? 'The database was closed.' : 'Too many questions are waiting for the database.',
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
