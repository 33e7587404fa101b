import { duration, list, secret, toggle } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const databaseSettings = {
  databaseUrl: setting({
    flag: '--database-url',
    env: 'CHAINCENTER_DATABASE_URL',
    group: 'Database',
    about:
      'A PostgreSQL server of your own, 15 or newer: postgres://user:password@host:5432/name. Without it, the one that comes with the program keeps its data in the data folder.',
    kind: secret('url', 'a URL that begins with postgres://'),
    default: undefined,
  }),
  databaseReaders: setting({
    flag: '--database-reader',
    env: 'CHAINCENTER_DATABASE_READERS',
    group: 'Database',
    about: 'A replica of that server to read from; may be given several times. Without any, the server itself is read.',
    kind: list(secret('url', 'a URL that begins with postgres://')),
    default: [],
  }),
  databaseReaderLag: setting({
    flag: '--database-reader-lag',
    env: 'CHAINCENTER_DATABASE_READER_LAG',
    group: 'Database',
    about:
      'How far a replica may be behind. One that is further, or does not answer, is passed over until it has caught up; where none is left, the server itself is read.',
    kind: duration({ minMs: 100, maxMs: 3_600_000 }),
    default: 5000,
  }),
  redisUrl: setting({
    flag: '--redis-url',
    env: 'CHAINCENTER_REDIS_URL',
    group: 'Database',
    about:
      'A Redis server by which several processes share what is pending and what may be asked: redis://user:password@host:6379/0. Without it, each knows of the messages that were sent through it, and counts requests for itself.',
    kind: secret('url', 'a URL that begins with redis:// or rediss://'),
    default: undefined,
  }),
  distribute: setting({
    flag: '--distribute',
    env: 'CHAINCENTER_DISTRIBUTE',
    group: 'Database',
    about:
      'Experimental, not for use: with db migrate, spreads the tables over a Citus cluster. The tables are distributed, and then index fails and most of v3 answers 500.',
    kind: toggle(),
    default: false,
  }),
} as const satisfies Settings
