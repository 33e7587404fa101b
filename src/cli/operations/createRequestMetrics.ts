import type { AnsweredRequest, OnAnswered } from '../../api/core/Call.ts'
import type { Metrics } from '../../observe/Metrics.ts'

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type EndpointFigures = {
  readonly seconds: { observe(value: number): void }
  /** By what else tells requests apart, as a number: see kindOf. */
  readonly counts: Map<number, { add(amount: number): void }>
}

/** Counts the requests that interfaces have answered, and how long that took. */
export const createRequestMetrics = (metrics: Metrics): OnAnswered => {
  const requests = metrics.counter('chaincenter_http_requests_total', 'Requests that an interface has answered.')
  const seconds = metrics.histogram(
    'chaincenter_http_request_seconds',
    'Time from a whole request to its answer.',
    SECONDS,
  )
  const interfaces = new Map<string, Map<string | undefined, EndpointFigures>>()
  const open = (prefix: string, endpoint: string | undefined): EndpointFigures => {
    const labels = { interface: prefix, endpoint: endpoint ?? '' }
    const figures: EndpointFigures = { seconds: seconds.of(labels), counts: new Map() }
    const endpoints = interfaces.get(prefix) ?? new Map<string | undefined, EndpointFigures>()
    interfaces.set(prefix, endpoints.set(endpoint, figures))
    return figures
  }
  // Labels are put together once for each kind of request, since that takes longer than all the rest.
  return (answered) => {
    const { prefix, endpoint, durationMs } = answered
    const figures = interfaces.get(prefix)?.get(endpoint) ?? open(prefix, endpoint)
    const kind = kindOf(answered)
    let count = figures.counts.get(kind)
    if (count === undefined) {
      const { transport, status, isKept } = answered
      const own = { transport, status: String(status), kept: String(isKept) }
      count = requests.of({ interface: prefix, endpoint: endpoint ?? '', ...own })
      figures.counts.set(kind, count)
    }
    count.add(1)
    figures.seconds.observe(durationMs / 1000)
  }
}

const transports = { get: 0, post: 1, rpc: 2 } as const

const kindOf = ({ status, transport, isKept }: AnsweredRequest): number =>
  status * 8 + transports[transport] * 2 + (isKept ? 1 : 0)
