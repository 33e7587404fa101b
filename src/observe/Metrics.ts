export type Labels = Readonly<Record<string, string>>

type MetricKind = 'counter' | 'gauge' | 'histogram'

/** One number. Those of a histogram have a suffix to the name of their family. */
type Sample = { readonly suffix: string; readonly labels: Labels; readonly value: number }

/** All numbers of one name, as they can be sent to another process. */
export type MetricFamily = {
  readonly name: string
  readonly kind: MetricKind
  readonly help: string
  readonly samples: readonly Sample[]
}

/** In the text form that Prometheus reads. */
export const formatMetrics = (families: readonly MetricFamily[]): string => {
  const lines = families.flatMap(({ name, kind, help, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...samples.map(({ suffix, labels, value }) => `${name}${suffix}${formatLabels(labels)} ${value}`),
  ])
  return `${lines.join('\n')}\n`
}

/** The numbers of several processes as those of one, told apart by a label. */
export const joinMetrics = (
  label: string,
  parts: readonly { readonly name: string; readonly families: readonly MetricFamily[] }[],
): MetricFamily[] => {
  const joined = new Map<string, MetricFamily>()
  for (const { name: part, families } of parts) {
    for (const family of families) {
      const own = family.samples.map((sample) => ({ ...sample, labels: { [label]: part, ...sample.labels } }))
      const before = joined.get(family.name)
      joined.set(family.name, { ...family, samples: [...(before?.samples ?? []), ...own] })
    }
  }
  return [...joined.values()]
}

const formatLabels = (labels: Labels): string => {
  const entries = Object.entries(labels)
  if (entries.length === 0) return ''
  return `{${entries.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`
}

const escapeLabel = (value: string): string =>
  value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))

/** A number that only grows. */
export type Counter = {
  add(amount?: number, labels?: Labels): void
  /** The counter for these labels, for frequent updates. */
  of(labels: Labels): { add(amount: number): void }
}
/** A number that goes up and down. */
export type Gauge = { set(value: number, labels?: Labels): void }
/** How many observations were up to each of some bounds, how many there were, and their sum. */
export type Histogram = {
  observe(value: number, labels?: Labels): void
  /** The series for these labels, for frequent updates. */
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

  /** Values read at each scrape. */
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
    if (this.families.has(name)) throw new TypeError(`The metric ${name} is registered twice.`)
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
  /** By the first bound that holds them; the last position is for those beyond all. */
  private readonly counts: number[]
  private sum = 0

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    const { bounds } = this
    let position = 0
    while (position < bounds.length && value > bounds[position]!) position++
    this.counts[position]!++
    this.sum += value
  }

  samples(): Sample[] {
    const { labels } = this
    let count = 0
    const buckets = this.counts.map((each, position) => {
      count += each
      const le = position < this.bounds.length ? String(this.bounds[position]) : '+Inf'
      return { suffix: '_bucket', labels: { ...labels, le }, value: count }
    })
    return [...buckets, { suffix: '_sum', labels, value: this.sum }, { suffix: '_count', labels, value: count }]
  }
}
