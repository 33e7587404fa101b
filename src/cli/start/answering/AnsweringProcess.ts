import { setTimeout as delay } from 'node:timers/promises'
import type { FrontLink } from '../../../api/core/front.ts'
import type { Logger } from '../../../observe/Logger.ts'
import { CodedError } from '../../../primitives/errors.ts'
import type { NetworkFacts } from '../../dev/NetworkSource.ts'
import { UsageError } from '../../errors.ts'
import type { ServedUrls } from '../../serve/listenService.ts'
import type { ReservedPort } from '../ReservedPort.ts'
import { reservePort, startingAnswer } from '../reservePort.ts'
import { endChild, type Refusal, type StartedChild, startChild } from '../startChild.ts'

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
  /** Name of the network, where it is a further one of this command line. */
  readonly also?: string | undefined
  readonly workingDir: string
  /** Data folder of the network; `undefined` stores nothing. */
  readonly folder: string | undefined
  readonly controlsToken: string | undefined
  readonly port: number
  /** The front before the service, where there is one. */
  readonly front: FrontLink | undefined
  readonly version: string
  /** The embedded network; without it, the settings name a network. */
  readonly facts: NetworkFacts | undefined
}

/** Marks the message that carries the listening socket. */
export const SOCKET = 'chaincenter:socket'
/** So many copies of the socket are sent: the other process accepts as many connections in a turn of its event loop. */
export const SOCKETS = 8

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

type Handlers = { readonly [topic: string]: (content: unknown) => unknown }

/**
 * The process that answers HTTP. It is started at once, and loads while the network starts. If it ends by itself, it is started again;
 * until then this process answers at its port that the service is starting.
 */
export class AnsweringProcess {
  private readonly options: AnsweringOptions
  private running: StartedChild
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

  private spawn(): StartedChild {
    return startChild(new URL('./answerRequests', import.meta.url), this.options.logger)
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
    for (let k = 0; k < SOCKETS; k++) child.send({ [SOCKET]: true }, this.port.socket, () => undefined)
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
    await endChild(this.running, topics.stop, this.options.closeTimeoutMs)
    if (this.port !== this.options.http) this.port.release()
  }
}
