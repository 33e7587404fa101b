export type Labels = Readonly<Record<string, string>>

/** A number that only grows. */
export type Counter = { add(amount?: number, labels?: Labels): void }
/** A number that goes up and down. */
export type Gauge = { set(value: number, labels?: Labels): void }
/** How many observations were up to each of some bounds, how many there were, and their sum. */
export type Histogram = { observe(value: number, labels?: Labels): void }

type Family = { readonly kind: 'counter' | 'gauge' | 'histogram'; readonly help: string; lines(name: string): string[] }

/** Numbers that a process keeps about itself, to be read by Prometheus. A name is asked for once. */
export class Metrics {
  private readonly families = new Map<string, Family>()

  counter(name: string, help: string): Counter {
    const values = this.addValues(name, 'counter', help)
    return { add: (amount = 1, labels = {}) => values.change(labels, (before) => before + amount) }
  }

  gauge(name: string, help: string): Gauge {
    const values = this.addValues(name, 'gauge', help)
    return { set: (value, labels = {}) => values.change(labels, () => value) }
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const series = new Map<string, HistogramSeries>()
    this.add(name, { kind: 'histogram', help, lines: () => [...series.values()].flatMap((each) => each.lines(name)) })
    return {
      observe: (value, labels = {}) => {
        const key = formatLabels(labels)
        let found = series.get(key)
        if (found === undefined) {
          found = new HistogramSeries(labels, bounds)
          series.set(key, found)
        }
        found.observe(value)
      },
    }
  }

  /** All of them in the text form. */
  format(): string {
    const lines: string[] = []
    for (const [name, { kind, help, lines: list }] of this.families) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...list(name))
    }
    return `${lines.join('\n')}\n`
  }

  private addValues(name: string, kind: 'counter' | 'gauge', help: string): Values {
    const values = new Values()
    this.add(name, { kind, help, lines: () => values.lines(name) })
    return values
  }

  private add(name: string, family: Family): void {
    if (this.families.has(name)) throw new TypeError(`There is a metric ${name} already.`)
    this.families.set(name, family)
  }
}

class Values {
  private readonly values = new Map<string, number>()

  change(labels: Labels, next: (before: number) => number): void {
    const key = formatLabels(labels)
    this.values.set(key, next(this.values.get(key) ?? 0))
  }

  lines(name: string): string[] {
    return [...this.values].map(([labels, value]) => `${name}${labels} ${value}`)
  }
}

class HistogramSeries {
  private readonly labels: Labels
  private readonly bounds: readonly number[]
  private readonly counts: number[]
  private count = 0
  private sum = 0

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels
    this.bounds = bounds
    this.counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    this.count++
    this.sum += value
    for (const [k, bound] of this.bounds.entries()) if (value <= bound) this.counts[k]!++
  }

  lines(name: string): string[] {
    const upTo = (le: string): string => formatLabels({ ...this.labels, le })
    return [
      ...this.bounds.map((bound, k) => `${name}_bucket${upTo(String(bound))} ${this.counts[k]}`),
      `${name}_bucket${upTo('+Inf')} ${this.count}`,
      `${name}_sum${formatLabels(this.labels)} ${this.sum}`,
      `${name}_count${formatLabels(this.labels)} ${this.count}`,
    ]
  }
}

const formatLabels = (labels: Labels): string => {
  const entries = Object.entries(labels)
  if (entries.length === 0) return ''
  return `{${entries.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`
}

const escapeLabel = (value: string): string =>
  value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
