import type { Command } from '../Command.ts'

export const replay: Command = {
  name: 'replay',
  summary: 'Turns a recorded chain into a listening liteserver.',
  parameters: [{ name: 'folder', about: 'Where its block files, zerostates and archive packages are.', repeats: true }],
  notes: [
    'Folders are looked through however deep they are: *.boc (blocks and zerostates, told apart by what they hold), *.pack (archive packages of a node) and *.tar.gz with packages inside. The chain begins at the zerostates. Every block is checked against its id and applied to the state before it; a block that is missing or wrong is named.',
    'Its blocks are kept in archive packages in the data folder, its states in memory. A global configuration for clients is written there, too. Messages are refused: a recording takes none.',
  ],
  examples: [
    ['chaincenter replay recorded', 'a recorded chain as a liteserver'],
    ['chaincenter replay recorded --liteserver-port 4443', 'at a port of your choice'],
  ],
  run: async (context, folders) => (await import('../replay/runReplay.ts')).runReplay(context, folders),
}
