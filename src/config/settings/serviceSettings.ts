import { keyScopes } from '../../primitives/keyScopes.ts'
import {
  choice,
  duration,
  integer,
  list,
  listenAddress,
  plan,
  poolServer,
  rate,
  secret,
  subnet,
  text,
  toggle,
  webUrl,
} from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const httpSettings = {
  layouts: setting({
    flag: '--layouts',
    env: 'CHAINCENTER_LAYOUTS',
    group: 'HTTP (dev, start, serve)',
    about:
      'File of additional message layouts (JSON), with which v3 decodes message bodies: see docs/message-layouts.md.',
    kind: text('file', 'the path of a file'),
    default: undefined,
  }),
  host: setting({
    flag: '--host',
    env: 'CHAINCENTER_HOST',
    group: 'HTTP (dev, start, serve)',
    about: 'Listen address of the HTTP server.',
    kind: text('address', 'an address of this machine'),
    default: '127.0.0.1',
  }),
  port: setting({
    flag: '--port',
    env: 'PORT',
    group: 'HTTP (dev, start, serve)',
    about: 'Listen port of the HTTP server; 0 picks a free port.',
    kind: integer({ min: 0, max: 65_535 }),
    default: 8081,
  }),
  dialect: setting({
    flag: '--dialect',
    env: 'CHAINCENTER_DIALECT',
    group: 'HTTP (dev, start, serve)',
    about:
      'Spelling of the network name below /api: neutral (chain), or as ecosystem clients expect it (ton). Below /ton/api it is always ton.',
    kind: choice(['chain', 'ton']),
    default: 'chain',
  }),
  responseCache: setting({
    flag: '--response-cache',
    env: 'CHAINCENTER_RESPONSE_CACHE',
    group: 'HTTP (dev, start, serve)',
    about:
      'Caches v2 responses, get-method results, and what liteservers answered about accounts and transactions; in v3, the text of transactions that are asked for again (serve: 64 MiB for all workers; start and dev: 2 MiB). --no-response-cache does all work again for every request, for measurements; proven blocks, their configuration and parsed code stay cached.',
    kind: toggle(),
    default: true,
  }),
  controlsToken: setting({
    flag: '--controls-token',
    env: 'CHAINCENTER_CONTROLS_TOKEN',
    group: 'HTTP (dev, start, serve)',
    about:
      'Bearer token for the controls of the embedded network (/dev). If the service listens beyond loopback or has a trusted proxy, a token is generated in the data folder (controls.token) unless this sets one. For call: the same token.',
    kind: secret('text', 'a text of 16 characters at least'),
    default: undefined,
  }),
} as const satisfies Settings

export const operationsSettings = {
  workers: setting({
    flag: '--workers',
    env: 'CHAINCENTER_WORKERS',
    group: 'Operations',
    about:
      'Processes that answer requests; one that exits is restarted. For serve: worker processes on the same port, one by default. For start and dev: 0 answers in the process of the indexer and of an embedded network, 1 in a process of its own. The default is 1 over a configured network and its index on two or more cores, and 0 over an embedded network, which starts with half the CPU time then.',
    kind: integer({ min: 0, max: 256 }),
    default: undefined,
  }),
  drainDelay: setting({
    flag: '--drain-delay',
    env: 'CHAINCENTER_DRAIN_DELAY',
    group: 'Operations',
    about:
      'Time after a stop signal during which requests are still accepted while /ready answers 503, so that the load balancer notices.',
    kind: duration({ minMs: 0, maxMs: 300_000 }),
    default: 0,
  }),
  drainTimeout: setting({
    flag: '--drain-timeout',
    env: 'CHAINCENTER_DRAIN_TIMEOUT',
    group: 'Operations',
    about: 'Timeout for requests in flight after that.',
    kind: duration({ minMs: 0, maxMs: 300_000 }),
    default: 10_000,
  }),
  readyHeadAge: setting({
    flag: '--ready-head-age',
    env: 'CHAINCENTER_READY_HEAD_AGE',
    group: 'Operations',
    about: 'Maximum age of the newest block before /ready answers 503. Does not apply to the embedded network.',
    kind: duration({ minMs: 1000, maxMs: 86_400_000 }),
    default: 60_000,
  }),
  readyIndexLag: setting({
    flag: '--ready-index-lag',
    env: 'CHAINCENTER_READY_INDEX_LAG',
    group: 'Operations',
    about: 'Maximum lag of the index behind the network before /ready answers 503.',
    kind: duration({ minMs: 1000, maxMs: 86_400_000 }),
    default: 60_000,
  }),
  operationsAddress: setting({
    flag: '--operations-address',
    env: 'CHAINCENTER_OPERATIONS_ADDRESS',
    group: 'Operations',
    about:
      'Listen address of the operations listener: /metrics, API key usage, /healthcheck and /ready. Default for a named network: 127.0.0.1, port --port plus 1000; an embedded network on loopback serves them on --port; index has none. "none" disables it.',
    kind: listenAddress(),
    default: undefined,
  }),
  vmCheck: setting({
    flag: '--vm-check',
    env: 'CHAINCENTER_VM_CHECK',
    group: 'Operations',
    about:
      'Percentage of contract runs that are repeated on the emulator of @ton/sandbox, if it is installed beside this package. Differences are logged and counted.',
    kind: integer({ min: 0, max: 100 }),
    default: 0,
  }),
  allowedHosts: setting({
    flag: '--allowed-host',
    env: 'CHAINCENTER_ALLOWED_HOSTS',
    group: 'Operations',
    about: 'Host name allowed for operator endpoints, in addition to localhost and IP addresses; repeatable.',
    kind: list(text('name', 'the name of a host')),
    default: [],
  }),
} as const satisfies Settings

export const callSettings = {
  url: setting({
    flag: '--url',
    env: 'CHAINCENTER_URL',
    group: 'API calls (call)',
    about: 'For call: URL of the service. Default: --port on this machine.',
    kind: webUrl(),
    default: undefined,
  }),
  api: setting({
    flag: '--api',
    inFile: false,
    group: 'API calls (call)',
    about: 'For call: API of the method. Default: the first API that has the method.',
    kind: choice(['v2', 'v3', 'dev']),
    default: undefined,
  }),
  apiKey: setting({
    flag: '--api-key',
    env: 'CHAINCENTER_API_KEY',
    group: 'API calls (call)',
    about: 'For call: API key.',
    kind: secret('key', 'a key'),
    default: undefined,
  }),
} as const satisfies Settings

export const limitsSettings = {
  limits: setting({
    flag: '--limits',
    env: 'CHAINCENTER_LIMITS',
    group: 'API keys and rate limits',
    about:
      'Enforces rate limits, with and without API keys. On by default for a named network; for an embedded network only requests from other machines are limited. --no-limits disables rate limits and ignores API keys.',
    kind: toggle(),
    default: undefined,
  }),
  anonymousV2: setting({
    flag: '--anonymous-v2',
    env: 'CHAINCENTER_ANONYMOUS_V2',
    group: 'API keys and rate limits',
    about: 'Rate limit of v2 per IP address without an API key.',
    kind: rate(),
    default: { perSecond: 1, burst: 1 },
  }),
  anonymousV3: setting({
    flag: '--anonymous-v3',
    env: 'CHAINCENTER_ANONYMOUS_V3',
    group: 'API keys and rate limits',
    about: 'Rate limit of v3 per IP address without an API key.',
    kind: rate(),
    default: { perSecond: 5, burst: 20 },
  }),
  plans: setting({
    flag: '--define-plan',
    env: 'CHAINCENTER_PLANS',
    group: 'API keys and rate limits',
    about:
      'Plan of API keys, in addition to or instead of a predefined one (free=10, plus=25, advanced=100); repeatable. With @pool, v2 requests with its keys use the liteservers of that pool.',
    kind: list(plan()),
    default: [],
  }),
  nodePools: setting({
    flag: '--node-pool',
    env: 'CHAINCENTER_NODE_POOLS',
    group: 'API keys and rate limits',
    about: 'Liteserver reserved for the keys of some plans; repeatable, also for one pool.',
    kind: list(poolServer()),
    default: [],
  }),
  trustedProxies: setting({
    flag: '--trusted-proxy',
    env: 'CHAINCENTER_TRUSTED_PROXIES',
    group: 'API keys and rate limits',
    about:
      'IP address or subnet of a proxy whose X-Forwarded-For is trusted; repeatable. Default: requests through a proxy count as requests of the proxy.',
    kind: list(subnet()),
    default: [],
  }),
  keysSecret: setting({
    flag: '--keys-secret',
    env: 'CHAINCENTER_KEYS_SECRET',
    group: 'API keys and rate limits',
    about:
      'Secret for the hashes of API keys; must be the same in all processes that share a database. Default: generated in the data folder (keys.secret).',
    kind: secret('text', 'a text of 16 characters at least'),
    default: undefined,
  }),
  selfService: setting({
    flag: '--self-service',
    env: 'CHAINCENTER_SELF_SERVICE',
    group: 'API keys and rate limits',
    about: 'Serves a sign-up page at /keys for free-plan API keys.',
    kind: toggle(),
    default: false,
  }),
  selfServiceKeys: setting({
    flag: '--self-service-keys',
    env: 'CHAINCENTER_SELF_SERVICE_KEYS',
    group: 'API keys and rate limits',
    about: 'Maximum number of sign-up keys per IP address and day.',
    kind: integer({ min: 1, max: 1_000_000 }),
    default: 3,
  }),
} as const satisfies Settings

export const keysSettings = {
  plan: setting({
    flag: '--plan',
    inFile: false,
    group: 'API keys (keys)',
    about: 'For keys create: free, plus, advanced, custom, or a plan from --define-plan.',
    kind: text('name', 'the name of a plan'),
    default: 'free',
  }),
  rate: setting({
    flag: '--rate',
    inFile: false,
    group: 'API keys (keys)',
    about: 'For keys create with --plan custom: rate limit of the key.',
    kind: rate(),
    default: undefined,
  }),
  scopes: setting({
    flag: '--scope',
    inFile: false,
    group: 'API keys (keys)',
    about:
      'For keys create: a right of the key; repeatable. stream:all allows subscriptions to every address. Without --scope a key has all others.',
    kind: list(choice(keyScopes)),
    default: [],
  }),
  owner: setting({
    flag: '--owner',
    inFile: false,
    group: 'API keys (keys)',
    about: 'For keys create: owner of the key. Keys with the same owner and plan share one rate limit.',
    kind: text('name', 'a name'),
    default: undefined,
  }),
  note: setting({
    flag: '--note',
    inFile: false,
    group: 'API keys (keys)',
    about: 'For keys create: purpose of the key.',
    kind: text('text', 'a text'),
    default: undefined,
  }),
  overlap: setting({
    flag: '--overlap',
    inFile: false,
    group: 'API keys (keys)',
    about: 'For keys rotate: how long the old key stays valid.',
    kind: duration({ minMs: 0, maxMs: 365 * 86_400_000 }),
    default: 86_400_000,
  }),
  days: setting({
    flag: '--days',
    inFile: false,
    group: 'API keys (keys)',
    about: 'For keys usage: number of days, including today.',
    kind: integer({ min: 1, max: 3650 }),
    default: 30,
  }),
} as const satisfies Settings

export const outputSettings = {
  json: setting({
    flag: '--json',
    env: 'CHAINCENTER_JSON',
    group: 'Output',
    about: 'Prints results and errors as JSON.',
    kind: toggle(),
    default: false,
  }),
  verbose: setting({
    flag: '--verbose',
    env: 'CHAINCENTER_VERBOSE',
    group: 'Output',
    about: 'Shows the stack trace of an error.',
    kind: toggle(),
    default: false,
  }),
  logLevel: setting({
    flag: '--log-level',
    env: 'CHAINCENTER_LOG_LEVEL',
    group: 'Output',
    about: 'Lowest level of log lines to write.',
    kind: choice(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
  }),
  logFormat: setting({
    flag: '--log-format',
    env: 'CHAINCENTER_LOG_FORMAT',
    group: 'Output',
    about: 'Format of log lines; auto is pretty on a terminal and JSON elsewhere.',
    kind: choice(['auto', 'json', 'pretty']),
    default: 'auto',
  }),
} as const satisfies Settings
