import type { Command } from '../Command.ts'
import { namesNetwork } from '../namesNetwork.ts'

export const start: Command = {
  name: 'start',
  summary:
    'Runs the service: both interfaces, the index and the explorer over the network of the settings, or over an embedded one as with dev.',
  parameters: [],
  notes: [
    'With --network main or test, with --global-config or with --liteserver it is served from the servers of that network. Without any of them there is an embedded network.',
    'The live interface is at /api/v2, the indexed one at /api/v3, the explorer at / and the reference of the interfaces at /docs. The index is kept in the same process; --no-index leaves it out. Where several processes are to answer, index keeps it and serve answers.',
  ],
  examples: [
    ['chaincenter start', 'an embedded network with both interfaces, as dev'],
    ['chaincenter start --network main --retention 100000', 'the main network, with an index of its last days'],
    [
      'chaincenter start --global-config global.config.json --database-url postgres://user:password@host:5432/name',
      'a network and a database of your own',
    ],
    ['chaincenter start --network test --no-index --port 8082', 'only the live interface, at another port'],
  ],
  run: async (context) => {
    if (namesNetwork(context.config)) return (await import('../serve/runService.ts')).runService(context)
    return (await import('../dev/runNetwork.ts')).runNetwork(context)
  },
}
