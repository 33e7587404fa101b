import {
  formatLabels,
  formatMetrics,
  type Labels,
  type MetricFamily,
  type MetricKind,
  type Sample,
} from './MetricFamily.ts'

/** A number that only grows. */
export type Counter = {
  add(amount?: number, labels?: Labels): void
  /** The number of some labels, for whoever adds to it often. */
  of(labels: Labels): { add(amount: number): void }
}
/** A number that goes up and down. */
export type Gauge = { set(value: number, labels?: Labels): void }
/** How many observations were up to each of some bounds, how many there were, and their sum. */
export type Histogram = {
  observe(value: number, labels?: Labels): void
  /** The series of some labels, for whoever observes often. */
  of(labels: Labels): { observe(value: number): void }
}

/** A value that is looked up when it is asked for. */
export type Reading = { readonly value: number; readonly labels?: Labels }

type Family = { readonly kind: MetricKind; readonly help: string; samples(): Sample[] }

/** Numbers that a process keeps about itself, to be read by Prometheus. A name is asked for once. */
export class Metrics {
  private readonly families = new Map<string, Family>()
  private readonly parts: (() => Metrics | undefined)[] = []

  counter(name: string, help: string): Counter {
    const values = this.addValues(name, 'counter', help)
    return {
      add: (amount = 1, labels = {}) => {
        values.of(labels).value += amount
      },
      of: (labels) => {
        const kept = values.of(labels)
        return {
          add: (amount) => {
            kept.value += amount
          },
        }
      },
    }
  }

  gauge(name: string, help: string): Gauge {
    const values = this.addValues(name, 'gauge', help)
    return {
      set: (value, labels = {}) => {
        values.of(labels).value = value
      },
    }
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const series = new Map<string, HistogramSeries>()
    const of = (labels: Labels): HistogramSeries => {
      const key = formatLabels(labels)
      let found = series.get(key)
      if (found === undefined) {
        found = new HistogramSeries(labels, bounds)
        series.set(key, found)
      }
      return found
    }
    this.add(name, { kind: 'histogram', help, samples: () => [...series.values()].flatMap((each) => each.samples()) })
    return { of, observe: (value, labels = {}) => of(labels).observe(value) }
  }

  /** Numbers that somebody else keeps, looked up whenever all are asked for. */
  reading(kind: 'counter' | 'gauge', name: string, help: string, read: () => readonly Reading[]): void {
    const samples = (): Sample[] => read().map(({ value, labels = {} }) => ({ suffix: '', labels, value }))
    this.add(name, { kind, help, samples })
  }

  /** Numbers of a part that may be begun anew, and then has others of the same names. */
  include(part: () => Metrics | undefined): void {
    this.parts.push(part)
  }

  /** All of them as they are now. */
  read(): MetricFamily[] {
    const own = [...this.families].map(([name, { kind, help, samples }]) => ({ name, kind, help, samples: samples() }))
    return [...own, ...this.parts.flatMap((part) => part()?.read() ?? [])]
  }

  /** All of them in the text form. */
  format(): string {
    return formatMetrics(this.read())
  }

  private addValues(name: string, kind: 'counter' | 'gauge', help: string): Values {
    const values = new Values()
    this.add(name, { kind, help, samples: () => values.samples() })
    return values
  }

  private add(name: string, family: Family): void {
    if (this.families.has(name)) throw new TypeError(`There is a metric ${name} already.`)
    this.families.set(name, family)
  }
}

type Value = { readonly labels: Labels; value: number }

class Values {
  private readonly values = new Map<string, Value>()

  of(labels: Labels): Value {
    const key = formatLabels(labels)
    let found = this.values.get(key)
    if (found === undefined) {
      found = { labels, value: 0 }
      this.values.set(key, found)
    }
    return found
  }

  samples(): Sample[] {
    return [...this.values.values()].map(({ labels, value }) => ({ suffix: '', labels, value }))
  }
}

class HistogramSeries {
  private readonly labels: Labels
  private readonly bounds: readonly number[]
  /** By the first bound that holds them; the last place is for those beyond all. */
  private readonly counts: number[]
  private sum = 0

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    const { bounds } = this
    let place = 0
    while (place < bounds.length && value > bounds[place]!) place++
    this.counts[place]!++
    this.sum += value
  }

  samples(): Sample[] {
    const { labels } = this
    let count = 0
    const buckets = this.counts.map((each, place) => {
      count += each
      const le = place < this.bounds.length ? String(this.bounds[place]) : '+Inf'
      return { suffix: '_bucket', labels: { ...labels, le }, value: count }
    })
    return [...buckets, { suffix: '_sum', labels, value: this.sum }, { suffix: '_count', labels, value: count }]
  }
}
