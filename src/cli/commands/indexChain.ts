import type { Command } from '../Command.ts'

export const indexChain: Command = {
  name: 'index',
  summary: 'Indexes a network: reads its blocks and keeps transactions, messages, traces and tokens in the database.',
  parameters: [],
  notes: [
    'Blocks come from the liteservers of the network, or with --archive from the packages of a node. The newest come first and history is filled in behind them, so that what is new is there soon; "chaincenter db status" tells what is covered.',
    'A process that is stopped or killed goes on where it was. Several may run beside each other: one of them writes, and another takes its place: within 3 seconds when it dies, within 10 when it hangs.',
    'With --from and --to only a part of history is indexed. With --watch only some accounts are, with --retention only the last blocks are kept.',
  ],
  examples: [
    [
      'chaincenter index --network main --retention 1000000',
      'follows the head, and fills the last month or so behind it',
    ],
    [
      'chaincenter index --archive /var/ton-work/db --from 1 --to 100000',
      'from the packages of a node; ends when all are there',
    ],
    [
      'chaincenter index --global-config global.config.json --watch EQ… --watch EQ…',
      'only the transactions of two accounts',
    ],
  ],
  run: async (context) => (await import('../index/runIndex.ts')).runIndex(context),
}
