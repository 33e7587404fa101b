import { duration, integer, list, secret, text, toggle, webUrl } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const databaseSettings = {
  databaseUrl: setting({
    flag: '--database-url',
    env: 'CHAINCENTER_DATABASE_URL',
    group: 'Database',
    about:
      'External PostgreSQL server, version 15 or newer: postgres://user:password@host:5432/name. Default: the embedded PostgreSQL, with its data in the data folder.',
    kind: secret('url', 'a URL that begins with postgres://'),
    default: undefined,
  }),
  databaseReaders: setting({
    flag: '--database-reader',
    env: 'CHAINCENTER_DATABASE_READERS',
    group: 'Database',
    about: 'Read replica of that server; repeatable. Default: reads go to the server itself.',
    kind: list(secret('url', 'a URL that begins with postgres://')),
    default: [],
  }),
  databaseReaderLag: setting({
    flag: '--database-reader-lag',
    env: 'CHAINCENTER_DATABASE_READER_LAG',
    group: 'Database',
    about:
      'Maximum replication lag of a replica. A replica with a larger lag, or without an answer, gets no reads until it has caught up; if none is left, reads go to the server itself.',
    kind: duration({ minMs: 100, maxMs: 3_600_000 }),
    default: 5000,
  }),
  redisUrl: setting({
    flag: '--redis-url',
    env: 'CHAINCENTER_REDIS_URL',
    group: 'Database',
    about:
      'Redis server through which processes share pending messages and rate limits: redis://user:password@host:6379/0. Default: each process has its own.',
    kind: secret('url', 'a URL that begins with redis:// or rediss://'),
    default: undefined,
  }),
  distribute: setting({
    flag: '--distribute',
    env: 'CHAINCENTER_DISTRIBUTE',
    group: 'Database',
    about: 'Experimental: db migrate distributes the tables over a Citus cluster.',
    kind: toggle(),
    default: false,
  }),
} as const satisfies Settings

export const metadataSettings = {
  metadata: setting({
    flag: '--metadata',
    env: 'CHAINCENTER_METADATA',
    group: 'Token metadata (index)',
    about:
      'Fetches off-chain token metadata: names, descriptions and image URLs; the explorer then shows the pictures, which the server fetches (raster, at most 2 MiB). URLs come from contracts; only hosts on the public internet are contacted.',
    kind: toggle(),
    default: false,
  }),
  metadataHttp: setting({
    flag: '--metadata-http',
    env: 'CHAINCENTER_METADATA_HTTP',
    group: 'Token metadata (index)',
    about: 'Also fetches metadata over plain http, which can be changed in transit.',
    kind: toggle(),
    default: false,
  }),
  metadataIpfsGateway: setting({
    flag: '--metadata-ipfs-gateway',
    env: 'CHAINCENTER_METADATA_IPFS_GATEWAY',
    group: 'Token metadata (index)',
    about:
      'IPFS gateway for ipfs:// URLs, such as http://127.0.0.1:8080/ipfs/ of a local node. Default: ipfs:// metadata is not fetched.',
    kind: webUrl(),
    default: undefined,
  }),
  metadataParallel: setting({
    flag: '--metadata-parallel',
    env: 'CHAINCENTER_METADATA_PARALLEL',
    group: 'Token metadata (index)',
    about: 'Concurrent metadata downloads; at most four per host.',
    kind: integer({ min: 1, max: 256 }),
    default: 32,
  }),
  metadataImageProxy: setting({
    flag: '--metadata-image-proxy',
    env: 'CHAINCENTER_METADATA_IMAGE_PROXY',
    group: 'Token metadata (index)',
    about:
      'Image proxy with the presets small, medium and big. Metadata then contains URLs of resized images under this URL.',
    kind: webUrl(),
    default: undefined,
  }),
} as const satisfies Settings

export const indexSettings = {
  index: setting({
    flag: '--index',
    env: 'CHAINCENTER_INDEX',
    group: 'Index',
    about: 'For dev and start: runs the indexer and serves v3; --no-index disables both.',
    kind: toggle(),
    default: true,
  }),
  archive: setting({
    flag: '--archive',
    env: 'CHAINCENTER_ARCHIVE',
    group: 'Index',
    about:
      'Reads blocks from the archive packages of a node instead of liteservers: its db folder, its archive folder, or any folder with packages.',
    kind: text('folder', 'the path of a folder'),
    default: undefined,
  }),
  stateFiles: setting({
    flag: '--state-file',
    env: 'CHAINCENTER_STATE_FILES',
    group: 'Index',
    about:
      'State file to start from, such as a zerostate; give one for the masterchain and one for each shard. The indexer then computes account states by applying blocks, and stores them in the data folder, instead of fetching them.',
    kind: list(text('file', 'the path of a file')),
    default: [],
  }),
  from: setting({
    flag: '--from',
    env: 'CHAINCENTER_FROM',
    group: 'Index',
    about: 'First masterchain block to index.',
    kind: integer({ min: 1, max: 2 ** 31 - 1 }),
    default: 1,
  }),
  to: setting({
    flag: '--to',
    env: 'CHAINCENTER_TO',
    group: 'Index',
    about: 'Last masterchain block to index; the command exits when all blocks are indexed. Default: follow the head.',
    kind: integer({ min: 1, max: 2 ** 31 - 1 }),
    default: undefined,
  }),
  watchedAccounts: setting({
    flag: '--watch',
    env: 'CHAINCENTER_WATCH',
    group: 'Index',
    about: 'Account to index; repeatable. Default: all accounts. The list cannot be changed for an existing database.',
    kind: list(text('address', 'the address of an account')),
    default: [],
  }),
  actions: setting({
    flag: '--actions',
    env: 'CHAINCENTER_ACTIONS',
    group: 'Index',
    about:
      'Classifies traces into actions: transfers, swaps, stakes and so on. Actions about double the disk space; --no-actions disables them, and db reclassify adds them later.',
    kind: toggle(),
    default: true,
  }),
  retention: setting({
    flag: '--retention',
    env: 'CHAINCENTER_RETENTION',
    group: 'Index',
    about:
      'Minimum number of masterchain blocks of history; default: all. Older blocks are dropped in partitions of at most an eighth of this number (or 1000 blocks; fixed when the database is created) and are not indexed again. Accounts and tokens keep their last state.',
    kind: integer({ min: 1000, max: 2 ** 31 - 1 }),
    default: undefined,
  }),
} as const satisfies Settings

export const coldSettings = {
  before: setting({
    flag: '--before',
    inFile: false,
    group: 'Cold history (db export, import, move)',
    about:
      'For db export and db move: history before this masterchain block, or before this day (2026-01-31, UTC), by whole partitions.',
    kind: text('block', 'a masterchain block or a date'),
    default: undefined,
  }),
  folder: setting({
    flag: '--folder',
    inFile: false,
    group: 'Cold history (db export, import, move)',
    about: 'For db export and db import: folder of the Parquet files.',
    kind: text('folder', 'the path of a folder'),
    default: undefined,
  }),
  drop: setting({
    flag: '--drop',
    inFile: false,
    group: 'Cold history (db export, import, move)',
    about: 'For db export: drops what was exported from the database.',
    kind: toggle(),
    default: false,
  }),
  tablespace: setting({
    flag: '--tablespace',
    inFile: false,
    group: 'Cold history (db export, import, move)',
    about: 'For db move: tablespace of the server to move old partitions to.',
    kind: text('name', 'the name of a tablespace'),
    default: undefined,
  }),
} as const satisfies Settings

export const actionsSettings = {
  dir: setting({
    flag: '--dir',
    inFile: false,
    group: 'Recorded traces (actions)',
    about: 'For actions: folder with cases.json and traces.',
    kind: text('folder', 'the path of a folder'),
    default: undefined,
  }),
} as const satisfies Settings
