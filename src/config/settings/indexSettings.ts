import { integer, list, text, toggle } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const indexSettings = {
  index: setting({
    flag: '--index',
    env: 'CHAINCENTER_INDEX',
    group: 'Index',
    about:
      'For dev and start: keeps an index of the network in a database and serves the indexed interface over it; --no-index leaves both out.',
    kind: toggle(),
    default: true,
  }),
  archive: setting({
    flag: '--archive',
    env: 'CHAINCENTER_ARCHIVE',
    group: 'Index',
    about:
      'Reads blocks from the packages of a node instead of from liteservers: its db folder, its archive folder, or any folder with packages in it.',
    kind: text('folder', 'the path of a folder'),
    default: undefined,
  }),
  stateFiles: setting({
    flag: '--state-file',
    env: 'CHAINCENTER_STATE_FILES',
    group: 'Index',
    about:
      'A file with a state to begin with, the zerostates for one; to be given for the masterchain and for each shard. States are then made by applying blocks to them and kept in the data folder, instead of being asked for.',
    kind: list(text('file', 'the path of a file')),
    default: [],
  }),
  from: setting({
    flag: '--from',
    env: 'CHAINCENTER_FROM',
    group: 'Index',
    about: 'The lowest masterchain block to index.',
    kind: integer({ min: 1, max: 2 ** 31 - 1 }),
    default: 1,
  }),
  to: setting({
    flag: '--to',
    env: 'CHAINCENTER_TO',
    group: 'Index',
    about:
      'The highest masterchain block to index; the command ends when all are there. Without it, the head is followed.',
    kind: integer({ min: 1, max: 2 ** 31 - 1 }),
    default: undefined,
  }),
  watchedAccounts: setting({
    flag: '--watch',
    env: 'CHAINCENTER_WATCH',
    group: 'Index',
    about:
      'An account to index; may be given several times. Without any, all accounts are. A database is for the same accounts for ever.',
    kind: list(text('address', 'the address of an account')),
    default: [],
  }),
  actions: setting({
    flag: '--actions',
    env: 'CHAINCENTER_ACTIONS',
    group: 'Index',
    about:
      'Says what happened in traces: transfers, swaps, stakes and so on. It takes about as much disk again as all the rest; --no-actions leaves it out, and db reclassify makes up for it later.',
    kind: toggle(),
    default: true,
  }),
  retention: setting({
    flag: '--retention',
    env: 'CHAINCENTER_RETENTION',
    group: 'Index',
    about:
      'How many masterchain blocks of history are kept, at least; without it, all are. Older ones are dropped in pieces of an eighth of it (1000 blocks at least), which a database keeps as it was begun, and are not indexed again. Accounts and tokens stay as they were last seen.',
    kind: integer({ min: 1000, max: 2 ** 31 - 1 }),
    default: undefined,
  }),
} as const satisfies Settings
