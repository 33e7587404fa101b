import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PROGRAM = join(import.meta.dirname, '../../bin/chaincenter.js')

/** What of that line tests look at. */
type ServedLine = { readonly url: string; readonly operations?: string; readonly controlsToken?: string }

/** A command of the program as a user would start it, that prints one line of JSON when it serves. */
export class ServeProcess {
  /** Its log, line by line. */
  readonly lines: string[] = []
  /** What it prints when it serves. */
  readonly ready: Promise<ServedLine>
  readonly url: Promise<string>
  readonly exited: Promise<number | null>
  private readonly child: ChildProcess

  constructor(args: readonly string[], folder: string) {
    // Inside a test, node:test marks the environment, which the program must not see.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const all = [PROGRAM, ...args, '--json', '--log-format', 'json']
    this.child = spawn(process.execPath, all, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env })
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.lines.push(...text.split('\n').filter(Boolean))
    })
    this.exited = once(this.child, 'exit').then(([code]) => code as number | null)
    const failed = this.exited.then((code) =>
      Promise.reject(new Error(`It ended with ${code}: ${this.lines.join('\n')}`)),
    )
    failed.catch(() => undefined)
    const line = once(createInterface(this.child.stdout!), 'line').then(([text]) => JSON.parse(text) as ServedLine)
    this.ready = Promise.race([line, failed])
    this.url = this.ready.then(({ url }) => url)
    this.url.catch(() => undefined)
  }

  get pid(): number {
    return this.child.pid!
  }

  send(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  /** Ends it, and its workers with it. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
  }
}
