import cluster from 'node:cluster'
import type { MetricFamily } from '../../../observe/MetricFamily.ts'
import type { Metrics } from '../../../observe/Metrics.ts'
import type { Shutdown } from '../../../observe/Shutdown.ts'
import type { ServedUrls } from '../listenService.ts'
import { ProcessChannel } from './ProcessChannel.ts'

/** What a worker and the process that started it have to say to each other. */
export const topics = {
  /** To the primary: requests are taken, and where. */
  ready: 'ready',
  /** To a worker: finish, and end. */
  stop: 'stop',
  /** Of a worker: its figures. */
  figures: 'figures',
  /** Of the primary: the figures of all, as text. */
  metrics: 'metrics',
  /** Either way: a message from outside that a node has taken through one of the workers. */
  sent: 'sent',
} as const

/** A worker's side of it. */
export type WorkerLink = {
  /** Says that requests are taken, and where. */
  ready(urls: ServedUrls): void
  /** Gives out figures from now on. */
  share(metrics: Metrics): void
  readAllMetrics(): Promise<string>
  /** Messages that were taken through other workers. */
  onSentElsewhere(listener: (boc: Uint8Array) => void): void
  tellSent(boc: Uint8Array): void
}

/** The way to the process that started this one; `undefined` where nobody did. */
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
    ready: (urls) => channel.tell(topics.ready, urls),
    share: (metrics) => channel.handle(topics.figures, (): MetricFamily[] => metrics.read()),
    readAllMetrics: async () => String(await channel.ask(topics.metrics)),
    onSentElsewhere: (listener) => channel.handle(topics.sent, (boc) => listener(boc as Uint8Array)),
    tellSent: (boc) => channel.tell(topics.sent, boc),
  }
}
