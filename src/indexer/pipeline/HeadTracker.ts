import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import type { UnitSource } from '../ports.ts'

const PAUSE_MS = 1000

/** Knows the newest masterchain block of the source, whatever the rest is busy with. */
export class HeadTracker {
  private readonly source: UnitSource
  private readonly logger: Logger
  private waiting: (() => void)[] = []
  private newest: number | undefined

  constructor(source: UnitSource, logger: Logger) {
    this.source = source
    this.logger = logger
  }

  get seqno(): number | undefined {
    return this.newest
  }

  /** Watches until the signal says to stop. A source that fails is watched again. */
  async run(onHead: (seqno: number) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const { seqno } of this.source.watchHeads(signal)) {
          if (this.newest !== undefined && seqno <= this.newest) continue
          this.newest = seqno
          onHead(seqno)
          for (const wake of this.waiting.splice(0)) wake()
        }
      } catch (error) {
        if (signal.aborted) return
        this.logger.warn('the head cannot be watched', { error })
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Resolves with the head as soon as it is at least so high. */
  async waitFor(seqno: number, signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted()
      if (this.newest !== undefined && this.newest >= seqno) return this.newest
      await this.waitForNext(signal)
    }
  }

  private waitForNext(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.waiting.push(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }
}
