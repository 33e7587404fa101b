import { choice, integer, secret, text } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const httpSettings = {
  layouts: setting({
    flag: '--layouts',
    env: 'CHAINCENTER_LAYOUTS',
    group: 'HTTP (the commands dev, start and serve)',
    about:
      'A file of message layouts, JSON, by which the indexed interface tells what bodies mean, besides those that it knows: see docs/message-layouts.md.',
    kind: text('file', 'the path of a file'),
    default: undefined,
  }),
  host: setting({
    flag: '--host',
    env: 'CHAINCENTER_HOST',
    group: 'HTTP (the commands dev, start and serve)',
    about: 'The address at which the HTTP server listens.',
    kind: text('address', 'an address of this machine'),
    default: '127.0.0.1',
  }),
  port: setting({
    flag: '--port',
    env: 'PORT',
    group: 'HTTP (the commands dev, start and serve)',
    about: 'The port at which the HTTP server listens; 0 takes any that is free.',
    kind: integer({ min: 0, max: 65_535 }),
    default: 8081,
  }),
  dialect: setting({
    flag: '--dialect',
    env: 'CHAINCENTER_DIALECT',
    group: 'HTTP (the commands dev, start and serve)',
    about:
      'How the interfaces below /api call the network where its name stands alone: neutrally, or as the clients of the ecosystem expect. Below /ton/api they always speak as those do.',
    kind: choice(['chain', 'ton']),
    default: 'chain',
  }),
  controlsToken: setting({
    flag: '--controls-token',
    env: 'CHAINCENTER_CONTROLS_TOKEN',
    group: 'HTTP (the commands dev, start and serve)',
    about:
      'What callers of the controls of the embedded network (/dev) must send as "Authorization: Bearer ...". Where the service listens beyond loopback, or names a proxy, one is made in the data folder (controls.token) unless this gives one. For call: the same token.',
    kind: secret('text', 'a text of 16 characters at least'),
    default: undefined,
  }),
} as const satisfies Settings
