import type { Command } from '../Command.ts'

export const dev: Command = {
  name: 'dev',
  summary:
    'Runs an embedded network with funded accounts, a liteserver, both interfaces and the explorer. There is nothing to configure.',
  parameters: [],
  notes: [
    'The network is a real one: blocks, states and proofs are in the formats of every other, made by one validator in this process. Contracts run in the real virtual machine. It is kept in the data folder and gone on with at the next start, unless --ephemeral says to leave nothing behind; --reset begins a new one.',
    'The explorer is at / of the HTTP server, the reference at /docs, the live interface at /api/v2, the indexed one at /api/v3. Clients of the ecosystem (TonClient of @ton/ton, tonweb) call /ton/api/v2/jsonRPC, which spells what they expect. Controls of the network are at /dev.',
    'With --json one line is printed when the network is ready: where HTTP is served (url, v2, v2Ton), where its liteserver listens, the path of its global configuration, and ten accounts with their mnemonics.',
  ],
  examples: [
    ['chaincenter dev', 'a network with money in ten accounts, kept in the folder .chaincenter'],
    ['chaincenter dev --shards 4 --demo', 'four shards, and tokens, names and wallets with traffic among them'],
    [
      'chaincenter dev --mining instant --ephemeral --json',
      'for scripts: blocks when there is something to put into them, nothing left behind',
    ],
    ['chaincenter dev --reset', 'begins a new network'],
  ],
  run: async (context) => (await import('../dev/runNetwork.ts')).runNetwork(context),
}
