import type { Command } from '../Command.ts'

type Part = { readonly name: string; readonly about: string; readonly state: 'here' | 'to come' }

/** What the product consists of, and how far each part is. `start` will run them; until then it says so. */
const parts: readonly Part[] = [
  { name: 'cell codec', about: 'bags of cells, dictionaries, proofs, TL and TL-B', state: 'here' },
  {
    name: 'node client',
    about: 'proven answers from liteservers, blocks from archive files (doctor, lite)',
    state: 'here',
  },
  { name: 'virtual machine', about: 'get-methods and transactions, in worker threads', state: 'here' },
  { name: 'node', about: 'a recorded chain as a liteserver (replay)', state: 'here' },
  { name: 'indexer', about: 'blocks, traces and actions into PostgreSQL', state: 'to come' },
  { name: 'interface v2', about: 'live HTTP and JSON-RPC access to the network', state: 'to come' },
  { name: 'interface v3', about: 'HTTP access to what was indexed', state: 'to come' },
  { name: 'development network', about: 'an embedded network, with nothing to configure', state: 'to come' },
  { name: 'explorer', about: 'web pages over the interfaces', state: 'to come' },
]

export const start: Command = {
  name: 'start',
  summary: 'Runs the service. For now it says which of its parts exist, and ends.',
  parameters: [],
  run({ version, config, show }) {
    const node = process.version
    const width = Math.max(...parts.map(({ name }) => name.length))
    const lines = parts.map(({ name, about, state }) => `  ${state.padEnd(8)} ${name.padEnd(width)}  ${about}`)
    show({
      text: [
        `chaincenter ${version} on Node ${node}`,
        '',
        'There is no service to run yet. Its parts:',
        ...lines,
        '',
        `Nothing was started and nothing was written; data will be kept in ${config.dataDir}.`,
        'To go on: "chaincenter help" lists the commands, README.md has a picture of the parts.',
      ].join('\n'),
      value: { version, node, dataDir: config.dataDir, parts },
    })
  },
}
