import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { openClient } from '../../../src/store/connect/openClient.ts'

/** Clock ticks of Linux, in ms. */
const TICK_MS = 10

/** Tells what a database server on this machine uses of the processors for others; 0 where the system does not say it. */
export class DatabaseWatch {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(url: string): Promise<DatabaseWatch> {
    return new DatabaseWatch(await openClient({ url, name: 'watch', statementTimeoutMs: 60_000 }))
  }

  /** So far, by all who are connected now. */
  async readCpuMs(): Promise<number> {
    const { rows } = await this.#client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    )
    return rows.reduce((sum, { pid }) => sum + readProcessMs(pid), 0)
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}

const readProcessMs = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may hold anything, the state is the first.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}
