import { choice, text, toggle } from './Kind.ts'
import { type Settings, setting, type ValuesOf } from './Setting.ts'

/** Every setting, once. Flags, environment names, help, docs/settings.md and the type `Config` derive from this table. */
export const settings = {
  help: setting({
    flag: '--help',
    short: '-h',
    inFile: false,
    group: 'General',
    about: 'Shows the commands and settings, or those of one command.',
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
    about: 'The configuration file, JSON. Without it, chaincenter.json in the working folder is read where it exists.',
    kind: text('file', 'the path of a file'),
    default: undefined,
  }),
  dataDir: setting({
    flag: '--data-dir',
    env: 'CHAINCENTER_DATA_DIR',
    group: 'General',
    about: 'The folder for everything that is kept between runs.',
    kind: text('folder', 'the path of a folder'),
    default: '.chaincenter',
  }),
  json: setting({
    flag: '--json',
    env: 'CHAINCENTER_JSON',
    group: 'Output',
    about: 'Prints results and failures as JSON, for other programs.',
    kind: toggle(),
    default: false,
  }),
  verbose: setting({
    flag: '--verbose',
    env: 'CHAINCENTER_VERBOSE',
    group: 'Output',
    about: 'Shows the stack of a failure.',
    kind: toggle(),
    default: false,
  }),
  logLevel: setting({
    flag: '--log-level',
    env: 'CHAINCENTER_LOG_LEVEL',
    group: 'Output',
    about: 'The least important log line that is written.',
    kind: choice(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
  }),
  logFormat: setting({
    flag: '--log-format',
    env: 'CHAINCENTER_LOG_FORMAT',
    group: 'Output',
    about: 'How log lines look; auto is pretty on a terminal and JSON elsewhere.',
    kind: choice(['auto', 'json', 'pretty']),
    default: 'auto',
  }),
} as const satisfies Settings

export type Config = ValuesOf<typeof settings>
