import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { onAbort } from '../../primitives/scheduling.ts'
import type { BlockSetSource } from '../ports.ts'
import { abortable } from './queues.ts'

const PAUSE_MS = 1000
const SILENT_MS = 30_000

/** Tracks the newest masterchain block of the source, independently of the other stages. */
export class HeadTracker {
  private readonly source: BlockSetSource
  private readonly logger: Logger
  private readonly silentMs: number
  private waiting: (() => void)[] = []
  private newest: number | undefined

  constructor(source: BlockSetSource, logger: Logger, silentMs = SILENT_MS) {
    this.source = source
    this.logger = logger
    this.silentMs = silentMs
  }

  get seqno(): number | undefined {
    return this.newest
  }

  /** Watches until the signal. Restarts after failures of the source. */
  async run(onHead: (seqno: number) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ending = new AbortController()
      try {
        await this.watch(onHead, ending, AbortSignal.any([signal, ending.signal]))
      } catch (error) {
        if (signal.aborted) return
        this.logger.warn('head watch failed, retrying', { error })
      } finally {
        ending.abort()
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Resolves with the head once it is at least this high. */
  async waitFor(seqno: number, signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted()
      if (this.newest !== undefined && this.newest >= seqno) return this.newest
      await this.waitForNext(signal)
    }
  }

  private async watch(onHead: (seqno: number) => void, ending: AbortController, signal: AbortSignal): Promise<void> {
    const heads = this.source.watchHeads(signal)[Symbol.asyncIterator]()
    let isFirst = true
    let watchdog: NodeJS.Timeout | undefined
    const listen = (): void => {
      clearTimeout(watchdog)
      if (signal.aborted) return
      watchdog = setTimeout(() => void this.lookAfter(ending, signal).then(listen), this.silentMs)
    }
    try {
      listen()
      for (;;) {
        const head: IteratorResult<BlockIdExt> = await abortable(heads.next(), signal)
        if (head.done === true) return
        listen()
        const { seqno } = head.value
        // The first head of a new watch is trusted even if it is lower: the earlier one may have been wrong.
        if (!isFirst && this.newest !== undefined && seqno <= this.newest) continue
        isFirst = false
        this.newest = seqno
        onHead(seqno)
        for (const wake of this.waiting.splice(0)) wake()
      }
    } finally {
      clearTimeout(watchdog)
      // Not awaited: the source may hang.
      void Promise.resolve(heads.return?.()).catch(() => undefined)
    }
  }

  /** Ends a watch that is silent although the source has newer blocks. */
  private async lookAfter(ending: AbortController, signal: AbortSignal): Promise<void> {
    try {
      const { seqno } = await this.source.getHead(signal)
      if (this.newest !== undefined && seqno <= this.newest) return
      ending.abort(new Error(`No head for ${this.silentMs} ms, although the source has block ${seqno}.`))
    } catch (error) {
      if (!signal.aborted) this.logger.warn('head poll failed', { error })
    }
  }

  private waitForNext(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const leave = onAbort(signal, resolve)
      this.waiting.push(() => {
        leave()
        resolve()
      })
    })
  }
}
