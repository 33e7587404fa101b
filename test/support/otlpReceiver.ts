import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type AttributeValue = {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly boolValue?: boolean
}
type AttributeList = readonly { readonly key: string; readonly value: AttributeValue }[]

type WireSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: AttributeList
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code?: number }
}

export type ReceivedSpan = Omit<WireSpan, 'attributes'> & {
  readonly attributes: Readonly<Record<string, unknown>>
  /** Process that sent it. */
  readonly pid: unknown
}

export type ReceivedMetric = {
  readonly name: string
  readonly sum?: unknown
  readonly gauge?: unknown
  readonly histogram?: unknown
}

type Resource = { readonly attributes: AttributeList }
type TraceBody = {
  readonly resourceSpans: readonly { resource: Resource; scopeSpans: readonly { spans: readonly WireSpan[] }[] }[]
}
type MetricBody = {
  readonly resourceMetrics: readonly { scopeMetrics: readonly { metrics: readonly ReceivedMetric[] }[] }[]
}

const toRecord = (attributes: AttributeList): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  )

/** A collector that takes OTLP over HTTP in JSON. */
export const startOtlpReceiver = async () => {
  const spans: ReceivedSpan[] = []
  const metrics: ReceivedMetric[] = []
  let requests = 0
  const server = createServer(async (request, response) => {
    requests++
    const body = await json(request)
    if (request.url === '/v1/traces') {
      for (const { resource, scopeSpans } of (body as TraceBody).resourceSpans) {
        const { 'process.pid': pid } = toRecord(resource.attributes)
        for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
          spans.push({ ...span, attributes: toRecord(span.attributes), pid })
        }
      }
    } else if (request.url === '/v1/metrics') {
      metrics.push(
        ...(body as MetricBody).resourceMetrics.flatMap((each) => each.scopeMetrics.flatMap((scope) => scope.metrics)),
      )
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    get requests() {
      return requests
    },
    /** Spans that a span is, directly or not, a part of, and itself; the nearest first. */
    pathOf: (span: ReceivedSpan): ReceivedSpan[] => {
      const path = [span]
      for (let next = span; ; ) {
        const parent = spans.find(({ traceId, spanId }) => traceId === next.traceId && spanId === next.parentSpanId)
        if (parent === undefined) return path
        path.push(parent)
        next = parent
      }
    },
    /** From now on nobody is there. */
    close: async (): Promise<void> => {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}
