import { choice, duration, integer, list, liteServer, text, toggle } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const generalSettings = {
  help: setting({
    flag: '--help',
    short: '-h',
    inFile: false,
    group: 'General',
    about: 'Shows the commands and settings, or the help of one command.',
    kind: toggle(),
    default: false,
  }),
  version: setting({
    flag: '--version',
    short: '-V',
    inFile: false,
    group: 'General',
    about: 'Shows the version.',
    kind: toggle(),
    default: false,
  }),
  config: setting({
    flag: '--config',
    env: 'CHAINCENTER_CONFIG',
    inFile: false,
    group: 'General',
    about: 'Configuration file (JSON). Default: chaincenter.json in the working folder, if it exists.',
    kind: text('file', 'the path of a file'),
    default: undefined,
  }),
  dataDir: setting({
    flag: '--data-dir',
    env: 'CHAINCENTER_DATA_DIR',
    group: 'General',
    about: 'Data folder: everything stored between runs.',
    kind: text('folder', 'the path of a folder'),
    default: '.chaincenter',
  }),
} as const satisfies Settings

export const networkSettings = {
  liteservers: setting({
    flag: '--liteserver',
    env: 'CHAINCENTER_LITESERVERS',
    group: 'Network',
    about: 'Liteserver to use; repeatable. Default: the liteservers of the global configuration.',
    kind: list(liteServer()),
    default: [],
  }),
  network: setting({
    flag: '--network',
    env: 'CHAINCENTER_NETWORK',
    group: 'Network',
    about:
      'Network name. main and test use the published global configuration, or the one given with --global-config if it belongs to that network; custom is any other network.',
    kind: choice(['main', 'test', 'custom']),
    default: 'custom',
  }),
  globalConfig: setting({
    flag: '--global-config',
    env: 'CHAINCENTER_GLOBAL_CONFIG',
    group: 'Network',
    about: 'Global configuration of the network (JSON): liteservers, zerostate and init block.',
    kind: text('file', 'the path of a file'),
    default: undefined,
  }),
  proofs: setting({
    flag: '--proofs',
    env: 'CHAINCENTER_PROOFS',
    group: 'Network',
    about:
      'Which proofs of liteserver answers are checked: full checks everything, merkle skips block signatures, off trusts the server.',
    kind: choice(['full', 'merkle', 'off']),
    default: 'full',
  }),
  queryTimeout: setting({
    flag: '--query-timeout',
    env: 'CHAINCENTER_QUERY_TIMEOUT',
    group: 'Network',
    about: 'Timeout of one liteserver request.',
    kind: duration({ minMs: 100, maxMs: 300_000 }),
    default: 10_000,
  }),
} as const satisfies Settings

export const liteSettings = {
  raw: setting({
    flag: '--raw',
    inFile: false,
    group: 'Liteserver requests (lite)',
    about: 'For lite: prints the answer as hex bytes; the request may be given as hex as well.',
    kind: toggle(),
    default: false,
  }),
  wait: setting({
    flag: '--wait',
    inFile: false,
    group: 'Liteserver requests (lite)',
    about:
      'For lite: the liteserver waits for the masterchain block with this seqno before it answers, up to the request timeout.',
    kind: integer({ min: 0, max: 2_147_483_647 }),
    default: undefined,
  }),
} as const satisfies Settings

export const liteserverSettings = {
  liteserverHost: setting({
    flag: '--liteserver-host',
    env: 'CHAINCENTER_LITESERVER_HOST',
    group: 'Liteserver (dev, start, replay)',
    about: 'Listen address of the liteserver.',
    kind: text('address', 'an address of this machine'),
    default: '127.0.0.1',
  }),
  liteserverPort: setting({
    flag: '--liteserver-port',
    env: 'CHAINCENTER_LITESERVER_PORT',
    group: 'Liteserver (dev, start, replay)',
    about:
      'Listen port of the liteserver; 0 picks a free port. Default: --port plus 2000 (10081), or a free port if that is in use.',
    kind: integer({ min: 0, max: 65_535 }),
    default: undefined,
  }),
  keepStates: setting({
    flag: '--keep-states',
    env: 'CHAINCENTER_KEEP_STATES',
    group: 'Liteserver (dev, start, replay)',
    about:
      'Number of recent masterchain blocks whose states stay in memory, also after a restart; 0 is all. Default: all for replay; 1000 for the embedded network, fewer (at least 64) while many transactions change them.',
    kind: integer({ min: 0, max: 1_000_000_000 }),
    default: undefined,
  }),
} as const satisfies Settings

export const embeddedSettings = {
  shards: setting({
    flag: '--shards',
    env: 'CHAINCENTER_SHARDS',
    group: 'Embedded network (dev, start)',
    about: 'Number of basechain shards of a new network; default 1.',
    kind: choice(['1', '2', '4', '8', '16']),
    default: undefined,
  }),
  fork: setting({
    flag: '--fork',
    env: 'CHAINCENTER_FORK',
    group: 'Embedded network (dev, start)',
    about:
      'Creates the network as a fork of another: main, test, the URL or path of a global configuration, or a liteserver (host:port:key). Accounts and libraries are fetched when first used, with proofs, and stored in the data folder.',
    kind: text('network', 'a network to fork'),
    default: undefined,
  }),
  forkBlock: setting({
    flag: '--fork-block',
    env: 'CHAINCENTER_FORK_BLOCK',
    group: 'Embedded network (dev, start)',
    about: 'Masterchain block to fork at; default: the newest at the first start.',
    kind: integer({ min: 1, max: 4_294_967_295 }),
    default: undefined,
  }),
  mining: setting({
    flag: '--mining',
    env: 'CHAINCENTER_MINING',
    group: 'Embedded network (dev, start)',
    about: 'Block production: at intervals, on each message (instant), or on request only (manual).',
    kind: choice(['interval', 'instant', 'manual']),
    default: 'interval',
  }),
  blockInterval: setting({
    flag: '--block-interval',
    env: 'CHAINCENTER_BLOCK_INTERVAL',
    group: 'Embedded network (dev, start)',
    about: 'Time between blocks.',
    kind: duration({ minMs: 200, maxMs: 3_600_000 }),
    default: 1000,
  }),
  commitDelay: setting({
    flag: '--commit-delay',
    env: 'CHAINCENTER_COMMIT_DELAY',
    group: 'Embedded network (dev, start)',
    about:
      'Time between shard blocks and the masterchain block that names them: streams then have confirmed events, and blocks can be replaced.',
    kind: duration({ minMs: 0, maxMs: 600_000 }),
    default: 0,
  }),
  emptyBlocks: setting({
    flag: '--empty-blocks',
    env: 'CHAINCENTER_EMPTY_BLOCKS',
    group: 'Embedded network (dev, start)',
    about: 'Produces blocks at each interval even without messages; --no-empty-blocks skips empty blocks.',
    kind: toggle(),
    default: true,
  }),
  seed: setting({
    flag: '--seed',
    env: 'CHAINCENTER_SEED',
    group: 'Embedded network (dev, start)',
    about:
      'Seed of the keys, the funded accounts and the random numbers of a new network. Without it the keys and random numbers differ for each network (with --start-time they do not), and the ten funded accounts are always the same, with public mnemonics.',
    kind: text('text', 'a text'),
    default: undefined,
  }),
  startTime: setting({
    flag: '--start-time',
    env: 'CHAINCENTER_START_TIME',
    group: 'Embedded network (dev, start)',
    about:
      "Unix time at which a new network starts. Its clock then advances with blocks and on request only, not with the machine's clock: the same seed and messages give the same hashes.",
    kind: integer({ min: 1, max: 4_294_967_294 }),
    default: undefined,
  }),
  ephemeral: setting({
    flag: '--ephemeral',
    env: 'CHAINCENTER_EPHEMERAL',
    group: 'Embedded network (dev, start)',
    about: 'Runs the network in memory and stores nothing.',
    kind: toggle(),
    default: false,
  }),
  demo: setting({
    flag: '--demo',
    env: 'CHAINCENTER_DEMO',
    group: 'Embedded network (dev, start)',
    about:
      'Deploys jettons and NFTs with pictures, an exchange, a staking pool, an NFT market, a DNS name, a multisig and a vesting wallet, and sends light traffic: every kind once within two minutes, then at random.',
    kind: toggle(),
    default: false,
  }),
  reset: setting({
    flag: '--reset',
    inFile: false,
    group: 'Embedded network (dev, start)',
    about: 'Deletes the network in the data folder with its index and creates a new one; asks first on a terminal.',
    kind: toggle(),
    default: false,
  }),
  yes: setting({
    flag: '--yes',
    short: '-y',
    inFile: false,
    group: 'Embedded network (dev, start)',
    about: 'Confirms --reset in advance.',
    kind: toggle(),
    default: false,
  }),
} as const satisfies Settings
