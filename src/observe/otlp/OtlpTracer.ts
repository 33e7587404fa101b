import { AsyncLocalStorage } from 'node:async_hooks'
import { CodedError } from '../../primitives/errors.ts'
import type { Span, SpanAttributes, SpanOptions, Tracer } from '../Tracer.ts'
import type { Sdk, SdkSpan, SpanContext } from './sdk.ts'

/** Numbers of the API: its enums are not there at compile time. */
const kinds = { internal: 0, server: 1, client: 2 } as const
const FAILED = 2

class OtlpSpan implements Span {
  readonly inner: SdkSpan
  isOver = false

  constructor(inner: SdkSpan) {
    this.inner = inner
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.inner.spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }

  set(attributes: SpanAttributes): void {
    this.inner.setAttributes(attributes)
  }

  rename(name: string): void {
    this.inner.updateName(name)
  }

  link(other: Span): void {
    this.inner.addLink({ context: (other as OtlpSpan).inner.spanContext() })
  }

  end(error?: unknown): void {
    if (this.isOver) return
    this.isOver = true
    if (error !== undefined) {
      const type = error instanceof CodedError ? error.code : error instanceof Error ? error.name : typeof error
      this.inner.setAttributes({ 'error.type': type })
      this.inner.setStatus({ code: FAILED, message: error instanceof Error ? error.message : String(error) })
    }
    this.inner.end()
  }
}

type SdkTracer = ReturnType<InstanceType<Sdk['trace']['BasicTracerProvider']>['getTracer']>

/** Records spans with the SDK. The current span is kept by Node.js, which costs something from the first one on. */
export class OtlpTracer implements Tracer {
  readonly #api: Sdk['api']
  readonly #tracer: SdkTracer
  readonly #spans = new AsyncLocalStorage<OtlpSpan>()

  constructor(api: Sdk['api'], tracer: SdkTracer) {
    this.#api = api
    this.#tracer = tracer
  }

  start(name: string, { kind = 'internal', attributes = {}, parent = this.current() }: SpanOptions = {}): Span {
    const options = { kind: kinds[kind], attributes }
    return new OtlpSpan(this.#tracer.startSpan(name, options, this.#contextOf(parent)))
  }

  current(): Span | undefined {
    const span = this.#spans.getStore()
    return span === undefined || span.isOver ? undefined : span
  }

  run<T>(span: Span, work: () => T): T {
    return this.#spans.run(span as OtlpSpan, work)
  }

  #contextOf(parent: Span | string | null | undefined) {
    const { ROOT_CONTEXT: root, trace } = this.#api
    if (parent === undefined || parent === null) return root
    if (typeof parent !== 'string') return trace.setSpan(root, (parent as OtlpSpan).inner)
    const remote = parseTraceparent(parent)
    return remote !== undefined && trace.isSpanContextValid(remote) ? trace.setSpanContext(root, remote) : root
  }
}

/** A header that is not valid is ignored: the trace begins here. */
const parseTraceparent = (text: string): SpanContext | undefined => {
  const [, version, traceId, spanId, flags, rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  return { traceId: traceId!, spanId: spanId!, traceFlags: Number.parseInt(flags!, 16) & 1, isRemote: true }
}
