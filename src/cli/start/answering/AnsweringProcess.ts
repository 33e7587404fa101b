import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { LogFields, Logger } from '../../../observe/Logger.ts'
import { startProcess } from '../../../observe/threads.ts'
import { CodedError } from '../../../primitives/errors.ts'
import type { NetworkFacts } from '../../dev/NetworkSource.ts'
import { UsageError } from '../../errors.ts'
import type { ServedUrls } from '../../serve/listenService.ts'
import { ProcessChannel } from '../../serve/workers/WorkerLink.ts'
import { type ReservedPort, reservePort, startingAnswer } from '../reservePort.ts'

/** Topics of the messages between the process of the network and the one that answers. */
export const topics = {
  /** To the answering process: it responds when its program is loaded. */
  loaded: 'loaded',
  /** To the answering process: what to serve. It responds with its URLs. */
  start: 'start',
  /** To the answering process: drain. It responds when everything is closed. */
  stop: 'stop',
  /** To the answering process: it responds when it has opened the index. */
  indexed: 'indexed',
  /** To the answering process: a new masterchain block, the chain was reverted, a control sent an external message. */
  appended: 'appended',
  reverted: 'reverted',
  sent: 'sent',
  /** From the answering process: a log line. */
  log: 'log',
  /** From the answering process: asks for the database, a control call, a transaction, metrics. */
  database: 'database',
  control: 'control',
  position: 'position',
  metrics: 'metrics',
} as const

/** What the process answers from. Its settings are those of this command line. */
export type AnsweringStart = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingDir: string
  /** Data folder of the network; `undefined` stores nothing. */
  readonly folder: string | undefined
  readonly controlsToken: string | undefined
  readonly port: number
  readonly version: string
  /** The embedded network; without it, the settings name a network. */
  readonly facts: NetworkFacts | undefined
}

/** What is wrong with the settings, and what to do. */
export type Refusal = { readonly refusal: string; readonly advice: string }

/** Marks the message that carries the listening socket. */
export const SOCKET = 'chaincenter:socket'

export type LogMessage = { readonly level: keyof Logger & ('debug' | 'info' | 'warn' | 'error') } & {
  readonly message: string
  readonly fields: LogFields
}

/** The answering process ended before it served. */
class AnsweringError extends CodedError {
  readonly code = 'answering_failed'
}

export type AnsweringOptions = {
  readonly http: ReservedPort
  readonly logger: Logger
  /** How long the process may take to close. */
  readonly closeTimeoutMs: number
}

/** Longer than any start and any control; an exit of the process ends the wait sooner. */
export const LONG_MS = 3_600_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
const EXIT_MS = 2000
/** Of what a process printed before it failed. */
const LAST_WORDS = 2000
const LAST_WORDS_MS = 20

type Running = { readonly child: ChildProcess; readonly channel: ProcessChannel; readonly exited: Promise<string> }
type Handlers = { readonly [topic: string]: (content: unknown) => unknown }

/**
 * The process that answers HTTP. It is started at once, and loads while the network starts. If it ends by itself, it is started again;
 * until then this process answers at its port that the service is starting.
 */
export class AnsweringProcess {
  private readonly options: AnsweringOptions
  private running: Running
  private port: ReservedPort
  private isClosing = false
  private closing: Promise<void> | undefined

  constructor(options: AnsweringOptions) {
    this.options = options
    this.port = options.http
    this.running = this.spawn()
  }

  /** Has it serve. Rejects if it cannot. */
  async serve(start: AnsweringStart, handlers: Handlers): Promise<ServedUrls> {
    const urls = await this.begin(start, handlers)
    void this.keep(start, handlers)
    return urls
  }

  /** Resolves when it has opened the index, or has ended. */
  async untilIndexed(): Promise<void> {
    const { channel, exited } = this.running
    await Promise.race([channel.request(topics.indexed, undefined, LONG_MS), exited])
  }

  notify(topic: string, content?: unknown): void {
    this.running.channel.notify(topic, content)
  }

  /** Drains and ends it. The port that was given stays open. */
  close(): Promise<void> {
    this.isClosing = true
    this.closing ??= this.end()
    return this.closing
  }

  private spawn(): Running {
    const flags = process.execArgv.filter((flag) => flag.startsWith('--max-'))
    const child = startProcess({ entry: new URL('./answerRequests', import.meta.url), flags, isNice: false })
    let lastWords = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-LAST_WORDS)
    })
    // A message fails if the process has just ended, which its exit reports.
    child.on('error', () => undefined)
    const channel = new ProcessChannel({
      send: (message) => child.connected && child.send(message as object, () => undefined),
      onMessage: (listener) => void child.on('message', listener),
    })
    channel.handle(topics.log, (content) => {
      const { level, message, fields } = content as LogMessage
      this.options.logger[level](message, fields)
    })
    const exited = new Promise<string>((done) => {
      // Not `close`, which does not come once the channel was closed from here. What it printed last may still be on its way.
      child.once('exit', (code, signal) =>
        setTimeout(() => done(`exit ${signal ?? code}. ${lastWords}`.trim()), LAST_WORDS_MS),
      )
      child.once('error', (error) => child.pid === undefined && done(error.message))
    })
    return { child, channel, exited }
  }

  private async begin(start: AnsweringStart, handlers: Handlers): Promise<ServedUrls> {
    const { child, channel, exited } = this.running
    for (const [topic, handler] of Object.entries(handlers)) channel.handle(topic, handler)
    const ended = exited.then((reason) => {
      throw new AnsweringError(`The process that answers requests ended: ${reason}`)
    })
    ended.catch(() => undefined)
    // A process takes connections from the moment the socket arrives; while it loads, nobody would answer them.
    await Promise.race([channel.request(topics.loaded, undefined, LONG_MS), ended])
    child.send({ [SOCKET]: true }, this.port.socket, () => undefined)
    const answer = (await Promise.race([channel.request(topics.start, start, LONG_MS), ended])) as ServedUrls | Refusal
    if ('refusal' in answer) throw new UsageError(answer.refusal, answer.advice)
    // From here on the other process has the port for itself.
    this.port.release()
    return answer
  }

  /** Replaces a process that ended by itself. */
  private async keep(start: AnsweringStart, handlers: Handlers): Promise<void> {
    const { logger } = this.options
    for (let failures = 0; ; ) {
      const begun = performance.now()
      const reason = await this.running.exited
      if (this.isClosing) return
      failures = performance.now() - begun > LONGEST_PAUSE_MS ? 0 : failures + 1
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
      logger.error('answering process exited, restarting', { reason, nextInMs: Math.round(pauseMs) })
      try {
        const { host, port } = this.port
        this.port = await reservePort({ host, port, flag: '--port', answer: startingAnswer })
        await delay(pauseMs, undefined, { ref: false })
        if (this.isClosing) break
        this.running = this.spawn()
        await this.begin(start, handlers)
      } catch (error) {
        if (!this.isClosing) logger.error('answering process failed', { error })
        this.port.release()
        this.running.child.kill('SIGKILL')
        await delay(pauseMs, undefined, { ref: false })
      }
    }
    this.port.release()
  }

  private async end(): Promise<void> {
    const { child, channel, exited } = this.running
    const isGone = child.exitCode !== null || child.signalCode !== null || child.pid === undefined
    if (!isGone) {
      const force = setTimeout(() => child.kill('SIGKILL'), this.options.closeTimeoutMs + EXIT_MS)
      await Promise.race([channel.request(topics.stop, undefined, this.options.closeTimeoutMs), exited]).catch(
        () => undefined,
      )
      if (child.connected) child.disconnect()
      await exited
      clearTimeout(force)
    }
    if (this.port !== this.options.http) this.port.release()
  }
}
