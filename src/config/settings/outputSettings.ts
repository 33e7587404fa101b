import { choice, toggle } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const outputSettings = {
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
