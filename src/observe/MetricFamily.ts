export type Labels = Readonly<Record<string, string>>

export type MetricKind = 'counter' | 'gauge' | 'histogram'

/** One number. Those of a histogram have a suffix to the name of their family. */
export type Sample = { readonly suffix: string; readonly labels: Labels; readonly value: number }

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

export const formatLabels = (labels: Labels): string => {
  const entries = Object.entries(labels)
  if (entries.length === 0) return ''
  return `{${entries.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`
}

const escapeLabel = (value: string): string =>
  value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
