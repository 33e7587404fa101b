import { text, toggle } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const generalSettings = {
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
} as const satisfies Settings
