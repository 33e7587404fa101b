import type { Command } from '../Command.ts'

export const start: Command = {
  name: 'start',
  summary: 'Runs the service. For now that is the embedded network with the v2 interface, as with dev.',
  parameters: [],
  notes: ['The indexer and its interface will be started with it when they are there.'],
  run: async (context) => (await import('../dev/runNetwork.ts')).runNetwork(context),
}
