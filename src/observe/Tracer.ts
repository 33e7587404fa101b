import type { MetricFamily } from './Metrics.ts'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** One timed piece of work of a trace. */
export interface Span {
  /** Names it to another process, in the form of W3C Trace Context. */
  readonly traceparent: string
  set(attributes: SpanAttributes): void
  rename(name: string): void
  /** Points to a span of another trace that this one depends on. */
  link(other: Span): void
  /** Ends it, as failed where there is an error. Later calls do nothing. */
  end(error?: unknown): void
}

export type SpanOptions = {
  /** `server` answers a request, `client` asks another server. */
  readonly kind?: 'server' | 'client' | 'internal'
  readonly attributes?: SpanAttributes
  /** By default the current span. A text is the traceparent of a span in another process; `null` begins a trace. */
  readonly parent?: Span | string | null
}

/** Records spans. The current span follows the calls and promises of the work that it was made current for. */
export interface Tracer {
  start(name: string, options?: SpanOptions): Span
  /** The current span, unless it has ended: what a request leaves running is no part of it. */
  current(): Span | undefined
  /** Makes a span current for some work. */
  run<T>(span: Span, work: () => T): T
}

/** Where telemetry goes, for another process of the service to send its own there. */
export type TelemetrySource = {
  /** Base URL of the collector. */
  readonly endpoint: string
  /** Share of traces that are recorded, from 0 to 1. */
  readonly sampled: number
  /** Whether a request may continue the trace of its caller. */
  readonly trustsCallers: boolean
  readonly version: string
}

/** The telemetry of a process, sent to a collector. */
export interface Telemetry {
  readonly source: TelemetrySource
  readonly tracer: Tracer
  /** Sends these metrics from now on. */
  exportMetrics(read: () => readonly MetricFamily[]): void
  /** Sends what is left, for a bounded time. */
  close(): Promise<void>
}

let opened: Telemetry | undefined

/**
 * The telemetry of this process; there is none unless it was configured. It is opened before anything else: who wants to trace asks
 * once, when it is created, and without telemetry works as if this module did not exist.
 */
export const findTelemetry = (): Telemetry | undefined => opened

export const findTracer = (): Tracer | undefined => opened?.tracer

export const setTelemetry = (telemetry: Telemetry | undefined): void => {
  opened = telemetry
}

/** Runs work as a span. */
export const runSpan = async <T>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: (span: Span) => T | Promise<T>,
): Promise<T> => {
  const span = tracer.start(name, options)
  try {
    const result = await tracer.run(span, () => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Runs work as a span of the current one. Work of no request and no block is not traced: there is too much of it. */
export const runChildSpan = <T>(
  tracer: Tracer | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> => (tracer?.current() === undefined ? work(undefined) : runSpan(tracer, name, options, work))

/** Work that an event begins later, as a part of the span that is current now. */
export const keepSpan = <Args extends readonly unknown[]>(
  tracer: Tracer | undefined,
  work: (...args: Args) => void,
): ((...args: Args) => void) => {
  const span = tracer?.current()
  return span === undefined ? work : (...args) => tracer!.run(span, () => work(...args))
}
