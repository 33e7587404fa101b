type NetworkText = { readonly name: string; readonly text: string }

/** The metrics of several networks, in the text form that Prometheus reads, with a label for the network. */
export const joinMetricTexts = (
  texts: readonly NetworkText[],
  networks: readonly { readonly name: string; readonly isUp: boolean }[],
): string => {
  // All samples of a name stand together, below its description.
  const families = new Map<string, { readonly about: string[]; readonly samples: string[] }>()
  for (const { name, text } of texts) {
    let family: { readonly about: string[]; readonly samples: string[] } | undefined
    let isKnown = false
    for (const line of text.split('\n')) {
      const [, kind, metric] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
      if (kind === 'HELP') {
        isKnown = families.has(metric!)
        family = families.get(metric!) ?? { about: [], samples: [] }
        families.set(metric!, family)
      }
      if (line.startsWith('#')) {
        if (!isKnown) family?.about.push(line)
      } else if (line !== '') family?.samples.push(addLabel(line, name))
    }
  }
  families.set('chaincenter_network_up', {
    about: [
      '# HELP chaincenter_network_up Whether the process of a network of this service runs.',
      '# TYPE chaincenter_network_up gauge',
    ],
    samples: networks.map(({ name, isUp }) => `chaincenter_network_up{network="${name}"} ${isUp ? 1 : 0}`),
  })
  return `${[...families.values()].flatMap(({ about, samples }) => [...about, ...samples]).join('\n')}\n`
}

/** Names of networks need no escapes. */
const addLabel = (sample: string, network: string): string =>
  sample.replace(/^([^\s{]+)(\{)?/, (_whole, metric: string, brace?: string) =>
    brace === undefined ? `${metric}{network="${network}"}` : `${metric}{network="${network}",`,
  )
