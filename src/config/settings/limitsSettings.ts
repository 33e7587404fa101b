import { plan, poolServer, rate, subnet } from '../gatewayKinds.ts'
import { integer, list, secret, toggle } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const limitsSettings = {
  limits: setting({
    flag: '--limits',
    env: 'CHAINCENTER_LIMITS',
    group: 'Keys and limits',
    about:
      'Limits how much may be asked of the interfaces, with a key or without. On for networks that are named; on the embedded one for other machines only, unless this is given. --no-limits lets everybody ask as much as he likes, and looks at no keys.',
    kind: toggle(),
    default: undefined,
  }),
  anonymousV2: setting({
    flag: '--anonymous-v2',
    env: 'CHAINCENTER_ANONYMOUS_V2',
    group: 'Keys and limits',
    about: 'How much may be asked of the live interface from one address without a key.',
    kind: rate(),
    default: { perSecond: 1, burst: 1 },
  }),
  anonymousV3: setting({
    flag: '--anonymous-v3',
    env: 'CHAINCENTER_ANONYMOUS_V3',
    group: 'Keys and limits',
    about: 'How much may be asked of the indexed interface from one address without a key.',
    kind: rate(),
    default: { perSecond: 5, burst: 20 },
  }),
  plans: setting({
    flag: '--define-plan',
    env: 'CHAINCENTER_PLANS',
    group: 'Keys and limits',
    about:
      'A plan of keys, in place of a known one (free=10, plus=25, advanced=100) or besides them; may be given several times. With @pool its keys use the servers of that pool for the live interface.',
    kind: list(plan()),
    default: [],
  }),
  nodePools: setting({
    flag: '--node-pool',
    env: 'CHAINCENTER_NODE_POOLS',
    group: 'Keys and limits',
    about: 'A liteserver that is kept for the keys of some plans; may be given several times, also for one pool.',
    kind: list(poolServer()),
    default: [],
  }),
  trustedProxies: setting({
    flag: '--trusted-proxy',
    env: 'CHAINCENTER_TRUSTED_PROXIES',
    group: 'Keys and limits',
    about:
      'Where a proxy is that is believed what it says of its callers in X-Forwarded-For; may be given several times. Without any, everything that a proxy passes on counts as its own.',
    kind: list(subnet()),
    default: [],
  }),
  keysSecret: setting({
    flag: '--keys-secret',
    env: 'CHAINCENTER_KEYS_SECRET',
    group: 'Keys and limits',
    about:
      'What the hashes of keys are made with: the same in all processes that share a database. Without it, one is made in the data folder (keys.secret).',
    kind: secret('text', 'a text of 16 characters at least'),
    default: undefined,
  }),
  selfService: setting({
    flag: '--self-service',
    env: 'CHAINCENTER_SELF_SERVICE',
    group: 'Keys and limits',
    about: 'Serves a page at /keys where a visitor makes a key of the free plan for himself.',
    kind: toggle(),
    default: false,
  }),
  selfServiceKeys: setting({
    flag: '--self-service-keys',
    env: 'CHAINCENTER_SELF_SERVICE_KEYS',
    group: 'Keys and limits',
    about: 'How many keys can be made there from one address in a day.',
    kind: integer({ min: 1, max: 1_000_000 }),
    default: 3,
  }),
} as const satisfies Settings
