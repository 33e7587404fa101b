import type { Command } from '../Command.ts'
import { runNetwork } from '../dev/runNetwork.ts'

export const start: Command = {
  name: 'start',
  summary: 'Runs the service. For now that is the embedded network, as with dev.',
  parameters: [],
  notes: ['Interfaces and indexer will be started with it when they are there.'],
  run: runNetwork,
}
