import type { Labels, MetricFamily } from '../Metrics.ts'

/** Seconds and nanoseconds. */
type HrTime = readonly [number, number]

type DataPoint<T> = {
  readonly startTime: HrTime
  readonly endTime: HrTime
  readonly attributes: Labels
  readonly value: T
}

type HistogramValue = {
  readonly buckets: { readonly boundaries: readonly number[]; readonly counts: readonly number[] }
  readonly sum: number
  readonly count: number
}

/** A metric in the form of the OpenTelemetry SDK. */
type MetricData = {
  readonly descriptor: { name: string; description: string; unit: string; valueType: number }
  readonly aggregationTemporality: number
  readonly dataPointType: number
  readonly isMonotonic?: boolean
  readonly dataPoints: readonly DataPoint<number | HistogramValue>[]
}

/** Numbers of the SDK: its enums are not there at compile time. */
const CUMULATIVE = 1
const HISTOGRAM = 0
const GAUGE = 2
const SUM = 3
const DOUBLE = 1

/** Our metrics in the form of the SDK, under their names. */
export const toMetricData = (families: readonly MetricFamily[], sinceMs: number, nowMs: number): MetricData[] => {
  const times = { startTime: toHrTime(sinceMs), endTime: toHrTime(nowMs) }
  return families.map(({ name, help, kind, samples }) => {
    const common = {
      descriptor: { name, description: help, unit: unitOf(name), valueType: DOUBLE },
      aggregationTemporality: CUMULATIVE,
    }
    if (kind === 'histogram') {
      const dataPoints = toHistograms(samples).map((point) => ({ ...times, ...point }))
      return { ...common, dataPointType: HISTOGRAM, dataPoints }
    }
    const dataPoints = samples.map(({ labels, value }) => ({ ...times, attributes: labels, value }))
    return kind === 'counter'
      ? { ...common, dataPointType: SUM, isMonotonic: true, dataPoints }
      : { ...common, dataPointType: GAUGE, dataPoints }
  })
}

const toHrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : ''

type Series = { labels: Labels; boundaries: number[]; counts: number[]; below: number; sum: number; count: number }

/** Prometheus counts what is up to a bound, and OpenTelemetry what is between two. */
const toHistograms = (samples: MetricFamily['samples']): { attributes: Labels; value: HistogramValue }[] => {
  const all = new Map<string, Series>()
  for (const { suffix, labels, value } of samples) {
    const { le, ...own } = labels
    const key = JSON.stringify(own)
    let series = all.get(key)
    if (series === undefined) {
      series = { labels: own, boundaries: [], counts: [], below: 0, sum: 0, count: 0 }
      all.set(key, series)
    }
    if (suffix === '_sum') series.sum = value
    else if (suffix === '_count') series.count = value
    else {
      if (le !== '+Inf') series.boundaries.push(Number(le))
      series.counts.push(value - series.below)
      series.below = value
    }
  }
  return [...all.values()].map(({ labels, boundaries, counts, sum, count }) => ({
    attributes: labels,
    value: { buckets: { boundaries, counts }, sum, count },
  }))
}
