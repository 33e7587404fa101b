import type { Command } from '../Command.ts'

export const dev: Command = {
  name: 'dev',
  summary:
    'Runs an embedded network with funded accounts, a liteserver and the v2 interface. There is nothing to configure.',
  parameters: [],
  notes: [
    'The network is a real one: blocks, states and proofs are in the formats of every other, made by one validator in this process. Contracts run in the real virtual machine. It is kept in the data folder and gone on with at the next start, unless --ephemeral says to leave nothing behind; --reset begins a new one.',
    'The live interface is at /api/v2 of the HTTP server. Clients of the ecosystem (TonClient of @ton/ton, tonweb) call /ton/api/v2/jsonRPC, which spells what they expect. Controls of the network are at /dev.',
    'With --json one line is printed when the network is ready: where HTTP is served (url, v2, v2Ton), where its liteserver listens, the path of its global configuration, and ten accounts with their mnemonics.',
  ],
  run: async (context) => (await import('../dev/runNetwork.ts')).runNetwork(context),
}
