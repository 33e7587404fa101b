import type { Command } from '../Command.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Looks at every configured liteserver and says what is wrong with it and what to do.',
  parameters: [],
  notes: [
    'It tells a refused or impossible connection, a wrong key, another network, a node that is out of sync or too old, a clock that is off, an init block that the server no longer has, and proofs that are false. Servers that lack the beginning of the chain are named, but that is no fault. It takes about ten seconds at most, whatever the servers do.',
    'The exit code is 0 where no server has a fault, 1 where one has, 2 where the settings name no server.',
  ],
  examples: [
    ['chaincenter doctor --network main', 'every published liteserver of the main network'],
    ['chaincenter doctor --global-config global.config.json', 'those of a network of your own'],
    ['chaincenter doctor --liteserver 127.0.0.1:4443:KEY', 'one server; its key is in base64'],
  ],
  run: async (context) => (await import('../doctor/runDoctor.ts')).runDoctor(context),
}
