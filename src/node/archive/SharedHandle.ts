import { statSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

// Whoever jumps between many packages is not to have all of them open.
const IDLE_MS = 200

type Opened = {
  readonly file: Promise<FileHandle>
  /** What was opened, as `identify` has it. */
  readonly identity: string | undefined
  users: number
  timer: NodeJS.Timeout | undefined
}

/**
 * A file that is read again and again: it is opened by the first who needs it, and closed when nobody has for a while, or when
 * another file, or none, has its name.
 */
export class SharedHandle {
  private readonly path: string
  private readonly open: (path: string) => Promise<FileHandle>
  private opened: Opened | undefined

  constructor(path: string, open: (path: string) => Promise<FileHandle>) {
    this.path = path
    this.open = open
  }

  async use<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
    const opened = this.take()
    opened.users++
    clearTimeout(opened.timer)
    try {
      return await work(await opened.file)
    } catch (error) {
      // Whatever is wrong with it, the next one begins anew.
      if (this.opened === opened) this.opened = undefined
      throw error
    } finally {
      opened.users--
      if (opened.users === 0 && this.opened !== opened) close(opened)
      else if (opened.users === 0) opened.timer = setTimeout(() => this.letGo(), IDLE_MS).unref()
    }
  }

  private take(): Opened {
    // Not awaited: a name that was just used is in memory, and to open a file by way of another thread costs fifty times as much.
    const identity = identify(this.path)
    if (this.opened !== undefined && (identity === undefined || this.opened.identity !== identity)) this.letGo()
    this.opened ??= { file: this.open(this.path), identity, users: 0, timer: undefined }
    return this.opened
  }

  private letGo(): void {
    const { opened } = this
    this.opened = undefined
    if (opened === undefined) return
    clearTimeout(opened.timer)
    if (opened.users === 0) close(opened)
  }
}

/** Of a file; `undefined` where there is none. */
const identify = (path: string): string | undefined => {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

const close = ({ file }: Opened): void => {
  file.then((opened) => opened.close()).catch(() => undefined)
}
