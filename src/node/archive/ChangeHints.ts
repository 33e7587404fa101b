import { type FSWatcher, watch } from 'node:fs'

/** A node writes an entry in several pieces: after the first sign of it, the rest gets this long to come. */
const GATHER_MS = 20

/**
 * Wakes a poll up early when something happens in a folder. Only a hint: file systems drop such events, some have none, and
 * the number of watches is limited, so a folder that cannot be watched is not an error.
 */
export class ChangeHints {
  private readonly watchers = new Map<string, FSWatcher>()
  private isHinted = false
  private wake: (() => void) | undefined

  /** Watches these folders and no others. */
  watch(folders: readonly string[]): void {
    for (const [folder, watcher] of this.watchers) if (!folders.includes(folder)) this.drop(folder, watcher)
    for (const folder of folders) {
      if (this.watchers.has(folder)) continue
      try {
        const watcher = watch(folder, { persistent: false }, () => this.hint())
        this.watchers.set(folder, watcher)
        watcher.on('error', () => this.drop(folder, watcher))
      } catch {
        // It is polled all the same.
      }
    }
  }

  /** Resolves after so long, or soon after a hint that came since the last call, or when the signal says to stop. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (!this.isHinted) await this.sleep(timeoutMs, signal)
    if (this.isHinted) await this.sleep(Math.min(GATHER_MS, timeoutMs), signal, false)
    this.isHinted = false
  }

  close(): void {
    for (const [folder, watcher] of this.watchers) this.drop(folder, watcher)
  }

  private hint(): void {
    this.isHinted = true
    this.wake?.()
  }

  private drop(folder: string, watcher: FSWatcher): void {
    watcher.close()
    if (this.watchers.get(folder) === watcher) this.watchers.delete(folder)
  }

  private sleep(ms: number, signal: AbortSignal, endsOnHint = true): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', finish)
        this.wake = undefined
        resolve()
      }
      const timer = setTimeout(finish, ms)
      signal.addEventListener('abort', finish, { once: true })
      if (endsOnHint) this.wake = finish
    })
  }
}
