import { duration, integer, list, listenAddress, text } from '../Kind.ts'
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
  vmCheck: setting({
    flag: '--vm-check',
    env: 'CHAINCENTER_VM_CHECK',
    group: 'Operations',
    about:
      'Percentage of contract runs that are repeated on the emulator of @ton/sandbox, where it is installed beside this package. Differences are logged and counted.',
    kind: integer({ min: 0, max: 100 }),
    default: 0,
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
  operationsAddress: setting({
    flag: '--operations-address',
    env: 'CHAINCENTER_OPERATIONS_ADDRESS',
    group: 'Operations',
    about:
      'Where the operations listener is: /metrics, the usage of keys, /healthcheck and /ready. Over a named network it is at 127.0.0.1 and 1000 above --port unless this says otherwise; an embedded network that listens on loopback alone serves them at --port. For index there is none unless it is named. "none" leaves it out.',
    kind: listenAddress(),
    default: undefined,
  }),
  allowedHosts: setting({
    flag: '--allowed-host',
    env: 'CHAINCENTER_ALLOWED_HOSTS',
    group: 'Operations',
    about:
      'A name by which what is for an operator may be called, besides localhost and IP addresses; may be given several times.',
    kind: list(text('name', 'the name of a host')),
    default: [],
  }),
} as const satisfies Settings
