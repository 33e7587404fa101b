import type { Command } from '../Command.ts'

export const indexChain: Command = {
  name: 'index',
  summary: 'Indexes a network: reads its blocks and keeps transactions, messages, traces and tokens in the database.',
  parameters: [],
  notes: [
    'Blocks come from the liteservers of the network, or with --archive from the packages of a node. The newest come first and history is filled in behind them, so that what is new is there soon; "chaincenter db status" tells what is covered.',
    'A process that is stopped or killed goes on where it was. Several may run beside each other: one of them writes, and another takes its place within 20 seconds when it is gone.',
    'With --from and --to only a part of history is indexed. With --watch only some accounts are, with --retention only the last blocks are kept.',
  ],
  run: async (context) => (await import('../index/runIndex.ts')).runIndex(context),
}
