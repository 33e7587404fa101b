import cluster from 'node:cluster'
import type { MetricFamily, Metrics } from '../../../observe/Metrics.ts'
import type { Shutdown } from '../../../observe/Shutdown.ts'
import { CodedError } from '../../../primitives/errors.ts'
import type { ServedUrls } from '../listenService.ts'

/** A pipe between two processes: the needed parts of `process` and of a cluster worker. */
export type Pipe = {
  send(message: unknown): unknown
  onMessage(listener: (message: unknown) => void): void
}

/** The other process did not answer in time, or exited. */
class ChannelError extends CodedError {
  readonly code = 'process_silent'
}

/** The other process failed to answer; `code` is that of its error. */
class RemoteError extends CodedError {
  readonly code: string

  constructor({ code, message }: Failure) {
    super(message)
    this.code = code
  }
}

type Failure = { readonly code: string; readonly message: string }

type Wire = {
  readonly chaincenter: 'request' | 'response' | 'notify'
  readonly topic: string
  readonly id: number
  readonly content: unknown
  /** Why a request has no content for an answer. */
  readonly failure?: Failure
}

type Handler = (content: unknown) => unknown

const ANSWER_MS = 4000

/** Requests and notifications between two processes, by topic. Other messages on the same pipe are ignored. */
export class ProcessChannel {
  private readonly pipe: Pipe
  private readonly handlers = new Map<string, Handler>()
  private readonly waiting = new Map<number, (answer: Wire) => void>()
  private lastId = 0

  constructor(pipe: Pipe) {
    this.pipe = pipe
    pipe.onMessage((message) => {
      if (isWire(message)) void this.receive(message)
    })
  }

  /** Sets the handler for requests and notifications of a topic. */
  handle(topic: string, handler: Handler): void {
    this.handlers.set(topic, handler)
  }

  notify(topic: string, content?: unknown): void {
    this.send({ chaincenter: 'notify', topic, id: 0, content })
  }

  request(topic: string, content?: unknown, timeoutMs = ANSWER_MS): Promise<unknown> {
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id)
        reject(new ChannelError(`The other process did not answer within ${timeoutMs} ms.`))
      }, timeoutMs).unref()
      this.waiting.set(id, (answer) => {
        clearTimeout(timer)
        if (answer.failure === undefined) resolve(answer.content)
        else reject(new RemoteError(answer.failure))
      })
      this.send({ chaincenter: 'request', topic, id, content })
    })
  }

  private async receive(wire: Wire): Promise<void> {
    const { chaincenter: kind, topic, id, content } = wire
    if (kind === 'response') {
      this.waiting.get(id)?.(wire)
      this.waiting.delete(id)
      return
    }
    const handler = this.handlers.get(topic)
    if (kind === 'notify') {
      await handler?.(content)
      return
    }
    const response = { chaincenter: 'response', topic, id } as const
    try {
      this.send({ ...response, content: await handler?.(content) })
    } catch (error) {
      this.send({ ...response, content: undefined, failure: toWireFailure(error) })
    }
  }

  private send(message: Wire): void {
    try {
      this.pipe.send(message)
    } catch {
      // The other process is gone: a pending request times out, a notification is lost.
    }
  }
}

const toWireFailure = (error: unknown): Failure => ({
  code: error instanceof CodedError ? error.code : 'internal',
  message: error instanceof Error ? error.message : String(error),
})

const isWire = (message: unknown): message is Wire =>
  typeof message === 'object' && message !== null && 'chaincenter' in message

/** Topics of the messages between a worker and the primary. */
export const topics = {
  /** To the primary: the worker listens, and on which URLs. */
  ready: 'ready',
  /** To a worker: drain and exit. */
  stop: 'stop',
  /** From a worker: its metrics. */
  workerMetrics: 'workerMetrics',
  /** From the primary: the metrics of all workers, as text. */
  metrics: 'metrics',
  /** Both ways: an external message that a liteserver accepted through one of the workers. */
  sent: 'sent',
} as const

/** The worker side of the channel. */
export type WorkerLink = {
  /** Reports the URLs on which the worker listens. */
  ready(urls: ServedUrls): void
  /** Shares the metrics of this worker with the primary. */
  share(metrics: Metrics): void
  readAllMetrics(): Promise<string>
  /** External messages accepted through other workers. */
  onSentElsewhere(listener: (boc: Uint8Array) => void): void
  announceSent(boc: Uint8Array): void
}

/** The channel to the primary; `undefined` in a process that is not a worker. */
export const openWorkerLink = (shutdown: Shutdown): WorkerLink | undefined => {
  if (!cluster.isWorker) return undefined
  const channel = new ProcessChannel({
    send: (message) => process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (listener) => void process.on('message', listener),
  })
  channel.handle(topics.stop, () => void shutdown.close('the primary process stops'))
  // It would keep a process alive that has nothing left to do.
  shutdown.add('link to the primary', () => process.channel?.unref())
  return {
    ready: (urls) => channel.notify(topics.ready, urls),
    share: (metrics) => channel.handle(topics.workerMetrics, (): MetricFamily[] => metrics.read()),
    readAllMetrics: async () => String(await channel.request(topics.metrics)),
    onSentElsewhere: (listener) => channel.handle(topics.sent, (boc) => listener(boc as Uint8Array)),
    announceSent: (boc) => channel.notify(topics.sent, boc),
  }
}
