import { CodedError } from '../../primitives/errors.ts'

// The packages of OpenTelemetry are not installed with this one, so the compiler must not need them: these are the parts of them
// that are used.

export type SpanContext = { traceId: string; spanId: string; traceFlags: number; isRemote?: boolean }

export type SdkSpan = {
  spanContext(): SpanContext
  setAttributes(attributes: object): unknown
  updateName(name: string): unknown
  addLink(link: { context: SpanContext }): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
}

/** Immutable; holds the parent of a span. */
type Context = { readonly brand: 'Context' }

type ExportResult = { readonly code: number; readonly error?: Error }

/** An exporter of spans or of metrics. */
export type SdkExporter = { export(batch: unknown, done: (result: ExportResult) => void): void }

type Closable = { shutdown(): Promise<void> }
type ExporterOptions = { url: string; timeoutMillis: number }

export type Sdk = {
  readonly api: {
    readonly ROOT_CONTEXT: Context
    readonly trace: {
      setSpan(context: Context, span: SdkSpan): Context
      setSpanContext(context: Context, span: SpanContext): Context
      isSpanContextValid(context: SpanContext): boolean
    }
  }
  readonly trace: {
    readonly BasicTracerProvider: new (
      options: object,
    ) => Closable & {
      getTracer(
        name: string,
        version: string,
      ): {
        startSpan(name: string, options: { kind: number; attributes?: object }, context: Context): SdkSpan
      }
    }
    readonly BatchSpanProcessor: new (exporter: SdkExporter, options: object) => object
    readonly ParentBasedSampler: new (options: { root: object }) => object
    readonly TraceIdRatioBasedSampler: new (share: number) => object
  }
  readonly metrics: {
    readonly MeterProvider: new (options: object) => Closable
    readonly PeriodicExportingMetricReader: new (options: object) => object
  }
  readonly resources: {
    resourceFromAttributes(attributes: object): Resource
    defaultResource(): Resource
    detectResources(options: { detectors: readonly unknown[] }): Resource
    readonly envDetector: unknown
  }
  readonly traceExporter: { readonly OTLPTraceExporter: new (options: ExporterOptions) => SdkExporter }
  readonly metricExporter: { readonly OTLPMetricExporter: new (options: ExporterOptions) => SdkExporter }
}

type Resource = { merge(other: Resource): Resource }

/** With the versions that were tried; those after them need a newer Node.js. The same as in package.json. */
const packages = {
  api: '@opentelemetry/api@1.9',
  trace: '@opentelemetry/sdk-trace-base@2',
  metrics: '@opentelemetry/sdk-metrics@2',
  resources: '@opentelemetry/resources@2',
  traceExporter: '@opentelemetry/exporter-trace-otlp-http@0.223',
  metricExporter: '@opentelemetry/exporter-metrics-otlp-http@0.223',
} as const satisfies Record<keyof Sdk, string>

/** The packages of OpenTelemetry are not there, or not in a version that works. */
export class TelemetryMissingError extends CodedError {
  readonly code = 'telemetry_not_installed'
}

/** Installs all of them beside this package. */
export const installCommand = `npm install ${Object.values(packages).join(' ')}`

/** Loads the SDK, if it is installed beside this package. */
export const loadSdk = async (): Promise<Sdk> => {
  const loaded = await Promise.all(
    Object.entries(packages).map(async ([name, versioned]) => [name, await load(versioned.replace(/@[^@]*$/, ''))]),
  )
  const sdk = Object.fromEntries(loaded) as Sdk
  if (sdk.trace.BasicTracerProvider === undefined || sdk.resources.resourceFromAttributes === undefined) {
    throw new TelemetryMissingError(
      '--otlp-endpoint needs version 2 of the OpenTelemetry SDK, and another is installed.',
    )
  }
  return sdk
}

const load = async (name: string): Promise<unknown> => {
  try {
    return await import(name)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new TelemetryMissingError(`--otlp-endpoint needs the package ${name}, which is not installed.`, { cause })
  }
}
