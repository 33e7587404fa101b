import type { Logger } from '../../observe/Logger.ts'
import { indexHeadQuery } from '../reader/indexHeadQuery.ts'
import type { Reader } from './Reader.ts'

/** The newest masterchain block in the index, and when it was made. */
export type IndexHead = { readonly seqno: number; readonly utime: number }

/** What a server was last seen to have. */
type SeenHead = {
  /** `undefined` where nothing is indexed yet. */
  readonly head: IndexHead | undefined
  /** When that was written, by the clock of the server that took it. */
  readonly committedAtMs: number
  /** When it was seen, by `performance.now()`. */
  readonly seenAt: number
}

const LOOK_MS = 200

/**
 * Looks every now and then how far the index of one server is. What it knows may be a little old, and is never ahead of what readers of
 * that server find.
 */
export class HeadWatch {
  readonly #reader: Reader
  readonly #logger: Logger
  #seen: SeenHead | undefined
  #isLost = false
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(reader: Reader, logger: Logger) {
    this.#reader = reader
    this.#logger = logger
  }

  /** What was seen last. */
  get seen(): SeenHead | undefined {
    return this.#seen
  }

  /** Whether the last question that was put to the server found nobody. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Somebody has found that the server does not answer. It is believed until it does. */
  lose(): void {
    this.#isLost = true
  }

  /** Looks from now on. */
  start(onLook: () => void = () => {}): void {
    this.#timer ??= setInterval(() => void this.look().then(onLook), LOOK_MS).unref()
  }

  /** Looks now, unless it is being done. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    const seenAt = performance.now()
    try {
      const [row] = await this.#reader.read(indexHeadQuery().compile())
      const head = row === undefined ? undefined : { seqno: row.mc_seqno, utime: row.gen_utime }
      this.#seen = { head, committedAtMs: row?.committed_at.getTime() ?? 0, seenAt }
      this.#isLost = false
    } catch (error) {
      this.#isLost = true
      this.#logger.debug('the head of the index is not known', { error })
    }
  }
}
