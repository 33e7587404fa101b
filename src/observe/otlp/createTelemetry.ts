import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../Logger.ts'
import type { MetricFamily } from '../Metrics.ts'
import type { Telemetry, TelemetrySource } from '../Tracer.ts'
import { toMetricData } from './metricData.ts'
import { OtlpTracer } from './OtlpTracer.ts'
import { loadSdk, type Sdk, type SdkExporter } from './sdk.ts'

const NAME = 'chaincenter'
const EXPORT_TIMEOUT_MS = 3000
const CLOSE_MS = 2000
const SPAN_DELAY_MS = 1000
/** Spans beyond that are dropped, so a collector that is down costs no more memory. */
const MAX_QUEUE = 8192
const METRICS_INTERVAL_MS = 15_000
/** Of a statement or an error, say. */
const MAX_VALUE = 2000

/** Sends traces and metrics to a collector, as OTLP over HTTP in JSON. A collector that fails is logged and harms nobody. */
export const createTelemetry = async (source: TelemetrySource, logger: Logger): Promise<Telemetry> => {
  const sdk = await loadSdk()
  const { endpoint, sampled, version } = source
  const resource = describeProcess(sdk, version)
  const watch = watchExports(logger, new URL(endpoint).origin)
  const exporterOf = (signal: string) => ({
    url: `${endpoint.replace(/\/+$/, '')}/v1/${signal}`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const { BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler } = sdk.trace
  const spans = new BatchSpanProcessor(watch(new sdk.traceExporter.OTLPTraceExporter(exporterOf('traces'))), {
    maxQueueSize: MAX_QUEUE,
    scheduledDelayMillis: SPAN_DELAY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const traces = new BasicTracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampled) }),
    spanLimits: { attributeValueLengthLimit: MAX_VALUE },
    spanProcessors: [spans],
  })
  const closers = [(): Promise<void> => traces.shutdown()]
  const exportMetrics = (read: () => readonly MetricFamily[]): void => {
    const { MeterProvider, PeriodicExportingMetricReader } = sdk.metrics
    const collect = async () => {
      const metrics = toMetricData(read(), performance.timeOrigin, Date.now())
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: NAME, version }, metrics }] }, errors: [] }
    }
    const reader = new PeriodicExportingMetricReader({
      exporter: watch(new sdk.metricExporter.OTLPMetricExporter(exporterOf('metrics'))),
      exportIntervalMillis: METRICS_INTERVAL_MS,
      exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      metricProducers: [{ collect }],
    })
    const meters = new MeterProvider({ resource, readers: [reader] })
    closers.push(() => meters.shutdown())
  }
  const close = async (): Promise<void> => {
    await Promise.race([Promise.allSettled(closers.map((each) => each())), delay(CLOSE_MS, undefined, { ref: false })])
  }
  return { source, tracer: new OtlpTracer(sdk.api, traces.getTracer(NAME, version)), exportMetrics, close }
}

/** Each process of a service is an instance of its own. The variables of OpenTelemetry for its name and attributes win. */
const describeProcess = ({ resources }: Sdk, version: string) =>
  resources
    .defaultResource()
    .merge(
      resources.resourceFromAttributes({
        'service.name': NAME,
        'service.version': version,
        'service.instance.id': `${hostname()}:${process.pid}`,
        'process.pid': process.pid,
      }),
    )
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))

/** Logs when exports begin to fail, and when they succeed again. */
const watchExports = (logger: Logger, collector: string) => {
  let isFailing = false
  return (exporter: SdkExporter): SdkExporter => {
    const send = exporter.export.bind(exporter)
    exporter.export = (batch, done) =>
      send(batch, (result) => {
        if (result.code !== 0 && !isFailing) {
          logger.warn('telemetry export failed, retrying with the next batch', { collector, error: result.error })
        }
        if (result.code === 0 && isFailing) logger.info('telemetry export works again', { collector })
        isFailing = result.code !== 0
        done(result)
      })
    return exporter
  }
}
