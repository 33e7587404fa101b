import { choice, secret, webUrl } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const callSettings = {
  url: setting({
    flag: '--url',
    env: 'CHAINCENTER_URL',
    group: 'Calls of a service (the command call)',
    about: 'For call: where the service is. Without it, the one at --port of this machine is called.',
    kind: webUrl(),
    default: undefined,
  }),
  api: setting({
    flag: '--api',
    inFile: false,
    group: 'Calls of a service (the command call)',
    about: 'For call: the interface that the method is of; without it, the first that has it.',
    kind: choice(['v2', 'v3', 'dev']),
    default: undefined,
  }),
  apiKey: setting({
    flag: '--api-key',
    env: 'CHAINCENTER_API_KEY',
    group: 'Calls of a service (the command call)',
    about: 'For call: the key that the service gave out.',
    kind: secret('key', 'a key'),
    default: undefined,
  }),
} as const satisfies Settings
