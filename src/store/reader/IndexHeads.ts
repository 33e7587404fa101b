import type { Logger } from '../../observe/Logger.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'

/** The newest masterchain block in the index, and when it was made. */
export type IndexHead = { readonly seqno: number; readonly utime: number }

const LOOK_MS = 200

export const indexHeadQuery = () =>
  queryBuilder.selectFrom('indexed_blocks').select(['mc_seqno', 'gen_utime']).orderBy('mc_seqno', 'desc').limit(1)

/** Looks every now and then how far the index is. What it knows may be a little old, and is never ahead of what readers find. */
export class IndexHeads {
  readonly #reader: () => Reader
  readonly #logger: Logger
  readonly #timer: NodeJS.Timeout
  #head: IndexHead | undefined
  #looking: Promise<void> | undefined

  /** `reader` may throw while there is none. */
  constructor(reader: () => Reader, logger: Logger) {
    this.#reader = reader
    this.#logger = logger
    this.#timer = setInterval(() => void this.look(), LOOK_MS)
    this.#timer.unref()
  }

  find(): IndexHead | undefined {
    return this.#head
  }

  /** Looks now, unless it is being done. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    try {
      const [row] = await this.#reader().read(indexHeadQuery().compile())
      this.#head = row === undefined ? undefined : { seqno: row.mc_seqno, utime: row.gen_utime }
    } catch (error) {
      this.#logger.debug('the head of the index is not known', { error })
    }
  }
}
