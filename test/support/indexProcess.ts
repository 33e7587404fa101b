import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../bin/chaincenter.js')

/** In which the system counts. */
const TICK_MS = 10

/** The command `index` as a user would start it, to be killed. */
export class IndexProcess {
  /** Its log, line by line. */
  readonly lines: string[] = []
  private readonly child: ChildProcess
  private readonly ended: Promise<unknown>

  constructor(args: readonly string[]) {
    // Inside a test, node:test marks the environment, which the program must not see.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const all = [PROGRAM, 'index', '--json', '--log-level', 'info', '--log-format', 'json', ...args]
    this.child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'], env })
    this.ended = once(this.child, 'exit')
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => this.lines.push(...text.split('\n').filter(Boolean)))
    }
  }

  get pid(): number {
    return this.child.pid!
  }

  /** The time that it has had a processor, of all its threads together. */
  get cpuMs(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Sends a signal and, unless it only stops or wakes the process, waits for its end. */
  async send(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    this.child.kill(signal)
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await this.ended
  }

  /** Has it end by itself. Returns how long that took. */
  async stop(): Promise<number> {
    const start = performance.now()
    await this.send('SIGTERM')
    const ms = Math.round(performance.now() - start)
    const { exitCode, signalCode } = this.child
    // Before it has begun to listen for signals, they end it.
    const isTooEarly = signalCode === 'SIGTERM' && this.lines.length === 0
    if (exitCode !== 0 && !isTooEarly)
      throw new Error(`It was told to stop and ended with ${exitCode}:\n${this.lines.join('\n')}`)
    return ms
  }
}
