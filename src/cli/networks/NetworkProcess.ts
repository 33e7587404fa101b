import { setTimeout as delay } from 'node:timers/promises'
import type { FrontLink } from '../../api/core/front.ts'
import type { Logger } from '../../observe/Logger.ts'
import { UsageError } from '../errors.ts'
import { endChild, type Refusal, type StartedChild, startChild } from '../start/startChild.ts'

/** Topics of the messages between the front and the process of a network. */
export const topics = {
  /** To the network: what to run. */
  start: 'start',
  /** To the network: drain. It responds when everything is closed. */
  stop: 'stop',
  /** To the front: the port on loopback. */
  port: 'port',
  /** To the front: the network is served, has ended. */
  shown: 'shown',
  ended: 'ended',
} as const

/** What a process runs. Its settings are those of this command line. */
export type NetworkStart = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Name of a further network; `undefined` for the first one. */
  readonly also: string | undefined
  readonly workingDir: string
  readonly version: string
  readonly program: string
  readonly front: FrontLink
}

/** How it ended: with a refusal of its settings, a failure, or as it was told. */
export type NetworkEnd = Refusal | { readonly failure: string } | undefined

/** Start-up output of a network: text for people, JSON for programs. */
export type Shown = { readonly text: string; readonly value: unknown }

export type NetworkProcessOptions = {
  readonly name: string
  readonly start: NetworkStart
  readonly logger: Logger
  /** How long the process may take to close. */
  readonly closeTimeoutMs: number
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** The process of a network. If it ends by itself, it is started again; the other networks go on. */
export class NetworkProcess {
  readonly name: string
  /** The start-up output, or why the first start failed. Rejects if the settings are wrong. */
  readonly first: Promise<Shown | string>
  private readonly options: NetworkProcessOptions
  private readonly closing = new AbortController()
  private running: StartedChild | undefined
  private keeping: Promise<void>
  private listening: number | undefined
  private lastFailure: string | undefined

  constructor(options: NetworkProcessOptions) {
    this.options = options
    this.name = options.name
    const { promise, resolve, reject } = withResolvers<Shown | string>()
    this.first = promise
    this.first.catch(() => undefined)
    this.keeping = this.keep(resolve, reject)
  }

  /** The port on loopback; `undefined` while there is no process. */
  get port(): number | undefined {
    return this.listening
  }

  /** Why there is no process. */
  get reason(): string {
    return this.lastFailure === undefined ? 'The network is starting.' : `The network failed: ${this.lastFailure}`
  }

  /** Drains and ends it. */
  async close(): Promise<void> {
    this.closing.abort()
    if (this.running !== undefined) await endChild(this.running, topics.stop, this.options.closeTimeoutMs)
    await this.keeping
  }

  private async keep(tell: (first: Shown | string) => void, refuse: (error: UsageError) => void): Promise<void> {
    const { logger } = this.options
    const { signal } = this.closing
    for (let failures = 0; !signal.aborted; ) {
      const begun = performance.now()
      const end = await this.runOnce(tell)
      this.listening = undefined
      if (signal.aborted) return
      if ('refusal' in end) refuse(new UsageError(`Network ${this.name}: ${end.refusal}`, end.advice))
      this.lastFailure = 'refusal' in end ? end.refusal : end.failure
      tell(this.lastFailure)
      failures = performance.now() - begun > LONGEST_PAUSE_MS ? 0 : failures + 1
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1))
      logger.error('network failed, restarting', { reason: this.lastFailure, nextInMs: pauseMs })
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Runs a process to its end. */
  private async runOnce(tell: (first: Shown) => void): Promise<NonNullable<NetworkEnd>> {
    const { start, logger, closeTimeoutMs } = this.options
    const started = startChild(new URL('./networkMain', import.meta.url), logger)
    this.running = started
    const { channel, exited } = started
    channel.handle(topics.port, (port) => {
      this.listening = Number(port)
    })
    channel.handle(topics.shown, (shown) => {
      this.lastFailure = undefined
      tell(shown as Shown)
    })
    const told = new Promise<NetworkEnd>((done) => channel.handle(topics.ended, (end) => done(end as NetworkEnd)))
    channel.notify(topics.start, start)
    const lost = exited.then((failure) => ({ failure }))
    const end = (await Promise.race([told, lost])) ?? { failure: 'It ended by itself.' }
    if (!this.closing.signal.aborted) await endChild(started, topics.stop, closeTimeoutMs)
    await exited
    return end
  }
}

const withResolvers = <T>() => {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((done, fail) => {
    resolve = done
    reject = fail
  })
  return { promise, resolve, reject }
}
