import { duration, integer, toggle } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const operationsSettings = {
  workers: setting({
    flag: '--workers',
    env: 'CHAINCENTER_WORKERS',
    group: 'Operations',
    about: 'For serve: how many processes answer, all at the same port. One that dies is replaced.',
    kind: integer({ min: 1, max: 256 }),
    default: 1,
  }),
  drainDelay: setting({
    flag: '--drain-delay',
    env: 'CHAINCENTER_DRAIN_DELAY',
    group: 'Operations',
    about:
      'How long requests are still taken after the process was told to stop, while /ready says that it is not: the time that a load balancer needs to notice.',
    kind: duration({ minMs: 0, maxMs: 300_000 }),
    default: 0,
  }),
  drainTimeout: setting({
    flag: '--drain-timeout',
    env: 'CHAINCENTER_DRAIN_TIMEOUT',
    group: 'Operations',
    about: 'How long requests that were taken may then take to be answered.',
    kind: duration({ minMs: 0, maxMs: 300_000 }),
    default: 10_000,
  }),
  readyHeadAge: setting({
    flag: '--ready-head-age',
    env: 'CHAINCENTER_READY_HEAD_AGE',
    group: 'Operations',
    about:
      'How old the newest block of the network may be before /ready says no. The embedded network may stand still.',
    kind: duration({ minMs: 1000, maxMs: 86_400_000 }),
    default: 60_000,
  }),
  readyIndexLag: setting({
    flag: '--ready-index-lag',
    env: 'CHAINCENTER_READY_INDEX_LAG',
    group: 'Operations',
    about: 'How far the index may be behind the network before /ready says no.',
    kind: duration({ minMs: 1000, maxMs: 86_400_000 }),
    default: 60_000,
  }),
  publicMetrics: setting({
    flag: '--public-metrics',
    env: 'CHAINCENTER_PUBLIC_METRICS',
    group: 'Operations',
    about:
      'Tells the figures at /metrics to programs on other machines, too. Without it, only those on this machine get them, and none through a proxy.',
    kind: toggle(),
    default: false,
  }),
  metricsPort: setting({
    flag: '--metrics-port',
    env: 'CHAINCENTER_METRICS_PORT',
    group: 'Operations',
    about:
      'For index: the port at which /healthcheck, /ready and /metrics are served; without it they are not. The other commands serve them at --port.',
    kind: integer({ min: 0, max: 65_535 }),
    default: undefined,
  }),
} as const satisfies Settings
