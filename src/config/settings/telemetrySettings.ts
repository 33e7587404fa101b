import { integer, toggle, webUrl } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const telemetrySettings = {
  otlpEndpoint: setting({
    flag: '--otlp-endpoint',
    env: 'CHAINCENTER_OTLP_ENDPOINT',
    group: 'Telemetry (dev, start, serve, index)',
    about:
      'Base URL of an OpenTelemetry collector (OTLP over HTTP, for example http://collector:4318). Sends traces of requests and indexed blocks, and all metrics. The packages of OpenTelemetry must be installed beside this one: see docs/operations.md. Default: nothing is traced or sent.',
    kind: webUrl(),
    default: undefined,
  }),
  otlpSample: setting({
    flag: '--otlp-sample',
    env: 'CHAINCENTER_OTLP_SAMPLE',
    group: 'Telemetry (dev, start, serve, index)',
    about: 'Percentage of requests and blocks that are traced.',
    kind: integer({ min: 0, max: 100 }),
    default: 100,
  }),
  trustTraceparent: setting({
    flag: '--trust-traceparent',
    env: 'CHAINCENTER_TRUST_TRACEPARENT',
    group: 'Telemetry (dev, start, serve, index)',
    about:
      'Continues the trace that the traceparent header of a request names, and follows its sampling decision. Only for a service whose callers are all trusted. Default: every request begins a trace.',
    kind: toggle(),
    default: false,
  }),
} as const satisfies Settings
