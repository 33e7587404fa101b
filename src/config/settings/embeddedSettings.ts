import { choice, duration, integer, text, toggle } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const embeddedSettings = {
  shards: setting({
    flag: '--shards',
    env: 'CHAINCENTER_SHARDS',
    group: 'The embedded network (the commands dev and start)',
    about: 'How many shards the basechain of a new network has; one, unless this says otherwise.',
    kind: choice(['1', '2', '4', '8', '16']),
    default: undefined,
  }),
  mining: setting({
    flag: '--mining',
    env: 'CHAINCENTER_MINING',
    group: 'The embedded network (the commands dev and start)',
    about: 'When blocks are made: at intervals, as soon as a message comes, or only when told to.',
    kind: choice(['interval', 'instant', 'manual']),
    default: 'interval',
  }),
  blockInterval: setting({
    flag: '--block-interval',
    env: 'CHAINCENTER_BLOCK_INTERVAL',
    group: 'The embedded network (the commands dev and start)',
    about: 'The time between blocks.',
    kind: duration({ minMs: 200, maxMs: 3_600_000 }),
    default: 1000,
  }),
  emptyBlocks: setting({
    flag: '--empty-blocks',
    env: 'CHAINCENTER_EMPTY_BLOCKS',
    group: 'The embedded network (the commands dev and start)',
    about:
      'Makes blocks at intervals also where there is nothing to put into them; --no-empty-blocks leaves those out.',
    kind: toggle(),
    default: true,
  }),
  seed: setting({
    flag: '--seed',
    env: 'CHAINCENTER_SEED',
    group: 'The embedded network (the commands dev and start)',
    about:
      'The text from which all keys, accounts and random numbers of a new network come; a random one unless given.',
    kind: text('text', 'a text'),
    default: undefined,
  }),
  startTime: setting({
    flag: '--start-time',
    env: 'CHAINCENTER_START_TIME',
    group: 'The embedded network (the commands dev and start)',
    about:
      "The second at which a new network begins. Its clock is then moved by blocks and by hand only, never by the machine's: with the same seed and the same messages all hashes are the same.",
    kind: integer({ min: 1, max: 4_294_967_294 }),
    default: undefined,
  }),
  ephemeral: setting({
    flag: '--ephemeral',
    env: 'CHAINCENTER_EPHEMERAL',
    group: 'The embedded network (the commands dev and start)',
    about: 'Keeps the network in memory and leaves nothing behind.',
    kind: toggle(),
    default: false,
  }),
  demo: setting({
    flag: '--demo',
    env: 'CHAINCENTER_DEMO',
    group: 'The embedded network (the commands dev and start)',
    about:
      'Deploys a jetton, an NFT collection with items, a name, a multisig and a vesting wallet, and keeps gentle traffic among them.',
    kind: toggle(),
    default: false,
  }),
  reset: setting({
    flag: '--reset',
    inFile: false,
    group: 'The embedded network (the commands dev and start)',
    about: 'Removes the network that is in the data folder, and begins a new one.',
    kind: toggle(),
    default: false,
  }),
} as const satisfies Settings
