import type { Command, CommandContext } from '../Command.ts'

export const start: Command = {
  name: 'start',
  summary: 'Runs the service: the v2 interface over the network of the settings, or over an embedded one as with dev.',
  parameters: [],
  notes: [
    'With --network main or test, with --global-config or with --liteserver it is served from the servers of that network. Without any of them there is an embedded network.',
    'The index is kept by the command index, beside it; both will run in one process when the interface over the index is there.',
  ],
  run: async (context) => {
    if (namesNetwork(context)) return (await import('../serve/runService.ts')).runService(context)
    return (await import('../dev/runNetwork.ts')).runNetwork(context)
  },
}

const namesNetwork = ({ config }: CommandContext): boolean =>
  config.network !== 'custom' || config.globalConfig !== undefined || config.liteservers.length > 0
