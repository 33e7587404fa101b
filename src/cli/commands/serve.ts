import type { Command } from '../Command.ts'

export const serve: Command = {
  name: 'serve',
  summary:
    'Serves the interfaces only, over your own node and database; any number of these may run beside each other.',
  parameters: [],
  notes: [
    'The live interface (v2) is served where the settings name a network: --network, --global-config or --liteserver. The indexed one (v3) is served where --database-url names the database that "chaincenter index" or "chaincenter start" fills.',
    'With --workers several processes answer at the same port, so that all cores are used; one that dies is replaced. On several machines, --redis-url has them share limits and what is pending.',
    'Told to stop, it first says at /ready that it is not (--drain-delay), then takes nothing new and finishes what it has (--drain-timeout).',
  ],
  examples: [
    ['chaincenter serve --network main --workers 4', 'the live interface of the main network, in four processes'],
    [
      'chaincenter serve --global-config global.config.json --database-url postgres://user:password@host:5432/name',
      'both interfaces over a node and a database of your own',
    ],
  ],
  run: async (context) => (await import('../serve/runServe.ts')).runServe(context),
}
