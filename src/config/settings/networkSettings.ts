import { choice, duration, list, liteServer, text } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const networkSettings = {
  liteservers: setting({
    flag: '--liteserver',
    env: 'CHAINCENTER_LITESERVERS',
    group: 'Network',
    about: 'A liteserver to ask; may be given several times. Without any, those of the global configuration are asked.',
    kind: list(liteServer()),
    default: [],
  }),
  network: setting({
    flag: '--network',
    env: 'CHAINCENTER_NETWORK',
    group: 'Network',
    about:
      'Which network it is. For main and test the published global configuration is taken unless another is given, which then must be of that network; custom is any other.',
    kind: choice(['main', 'test', 'custom']),
    default: 'custom',
  }),
  globalConfig: setting({
    flag: '--global-config',
    env: 'CHAINCENTER_GLOBAL_CONFIG',
    group: 'Network',
    about: "The network's global configuration, JSON: its liteservers, its zerostate and the block where trust begins.",
    kind: text('file', 'the path of a file'),
    default: undefined,
  }),
  proofs: setting({
    flag: '--proofs',
    env: 'CHAINCENTER_PROOFS',
    group: 'Network',
    about: 'What is checked of what servers say; merkle leaves out the signatures of blocks, off believes everything.',
    kind: choice(['full', 'merkle', 'off']),
    default: 'full',
  }),
  queryTimeout: setting({
    flag: '--query-timeout',
    env: 'CHAINCENTER_QUERY_TIMEOUT',
    group: 'Network',
    about: 'How long one question to a server may take.',
    kind: duration({ minMs: 100, maxMs: 300_000 }),
    default: 10_000,
  }),
} as const satisfies Settings
