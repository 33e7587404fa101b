import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { DatabaseUnavailableError } from '../errors.ts'
import type { ConnectionSettings } from './connectionSettings.ts'
import { openClient } from './openClient.ts'
import type { Reader } from './Reader.ts'
import { StatementNames } from './StatementNames.ts'
import { toDatabaseError } from './toDatabaseError.ts'
import { toStatement } from './toStatement.ts'

export type PipelinedOptions = ConnectionSettings & {
  readonly connections: number
  /** How many questions may be under way on one connection. */
  readonly maxInFlight: number
}

const MAX_STATEMENTS = 200

type Line = { client: Promise<pg.Client> | undefined; inFlight: number }

/**
 * For single rows by key: questions go out one after the other without waiting for answers, over few connections, and their
 * statements are prepared. Twice to three times as many get through; but one that is slow holds up those behind it.
 */
export class PipelinedReader implements Reader {
  readonly #options: PipelinedOptions
  readonly #lines: readonly Line[]
  readonly #names = new StatementNames(MAX_STATEMENTS)
  #isClosed = false

  constructor(options: PipelinedOptions) {
    this.#options = options
    this.#lines = Array.from({ length: options.connections }, () => ({ client: undefined, inFlight: 0 }))
  }

  async read<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    try {
      return await this.#ask(query)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || this.#isClosed) throw error
      return this.#ask(query)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#lines.map(async ({ client }) => (await client?.catch(() => undefined))?.end()))
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
      const client = await this.#connect(line)
      const { rows } = await client.query<Row & pg.QueryResultRow>(toStatement(query, this.#names))
      return rows
    } catch (error) {
      throw toDatabaseError(error)
    } finally {
      line.inFlight--
    }
  }

  #connect(line: Line): Promise<pg.Client> {
    if (line.client !== undefined) return line.client
    const forget = (): void => {
      if (line.client === opening) line.client = undefined
    }
    const opening = openClient({ ...this.#options, pipeline: true }, forget)
    opening.catch(forget)
    line.client = opening
    return opening
  }
}
