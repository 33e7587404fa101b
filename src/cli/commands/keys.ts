import type { Command } from '../Command.ts'

export const keys: Command = {
  name: 'keys',
  summary: 'Makes and ends the keys by which callers may ask more of the interfaces, and tells what they asked.',
  parameters: [
    { name: 'action', about: 'create, list, revoke, rotate or usage.' },
    { name: 'key', about: 'For revoke, rotate and usage: how the key begins, as list shows it.', optional: true },
  ],
  notes: [
    'create makes a key for the network of --network, of the plan of --plan, and prints it: that is the only time it is shown. The database has a keyed hash of it, whose secret is in the data folder or in --keys-secret. Running services know the key within a second.',
    'revoke ends a key everywhere within two seconds. rotate makes a new key of the same plan and owner; the old one goes on working for --overlap, and both share what may be asked.',
    'usage tells how often which endpoint was asked in the last --days, by all keys or by one; what was asked in the last few seconds may be missing.',
    'Without --database-url it works on the server that comes with the program and keeps its data in the data folder, also while a service runs over it.',
  ],
  examples: [
    [
      'chaincenter keys create --network main --plan plus --owner alice --note "price feed"',
      'a key for 25 requests a second',
    ],
    ['chaincenter keys create --plan custom --rate 500:1000', 'a key with a rate of its own'],
    ['chaincenter keys rotate cc_main_4fq2k7zt9w --overlap 7d', 'a new key, and a week to change over'],
    ['chaincenter keys usage --days 7 --json', 'what was asked in a week, for a program'],
  ],
  run: async (context, words) => (await import('../keys/runKeys.ts')).runKeys(context, words),
}
