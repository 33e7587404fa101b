import { integer, text } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const faceSettings = {
  liteserverHost: setting({
    flag: '--liteserver-host',
    env: 'CHAINCENTER_LITESERVER_HOST',
    group: 'Serving a chain (the commands dev, start and replay)',
    about: 'The address at which the liteserver listens.',
    kind: text('address', 'an address of this machine'),
    default: '127.0.0.1',
  }),
  liteserverPort: setting({
    flag: '--liteserver-port',
    env: 'CHAINCENTER_LITESERVER_PORT',
    group: 'Serving a chain (the commands dev, start and replay)',
    about: 'The port at which the liteserver listens; 0 takes any that is free.',
    kind: integer({ min: 0, max: 65_535 }),
    default: 0,
  }),
  keepStates: setting({
    flag: '--keep-states',
    env: 'CHAINCENTER_KEEP_STATES',
    group: 'Serving a chain (the commands dev, start and replay)',
    about:
      'For how many masterchain blocks back states are kept in memory, also after a restart; 0 keeps all. Unless given, replay keeps all and the embedded network 1000.',
    kind: integer({ min: 0, max: 1_000_000_000 }),
    default: undefined,
  }),
} as const satisfies Settings
